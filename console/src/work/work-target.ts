import type { LinkProps } from '@tanstack/react-router'

/** Returns the page of an object, if its type has pages. */
export function pageOf(type: string, id: string): LinkProps | undefined {
  switch (type) {
    case 'account':
      return { to: '/investors/$accountId', params: { accountId: id } }
    case 'order':
      return { to: '/orders/$orderId', params: { orderId: id } }
    case 'offering':
      return { to: '/offerings/$offeringId', params: { offeringId: id } }
    case 'statement':
      return { to: '/money/statements/$statementId', params: { statementId: id } }
    case 'payout':
      return { to: '/money/payouts/$payoutId', params: { payoutId: id } }
    case 'distribution':
      return { to: '/distributions/$distributionId', params: { distributionId: id } }
    default:
      return undefined
  }
}

/** Returns the page where an item of work is done. */
export function workTarget({ type, id }: { readonly type: string; readonly id: string }): LinkProps {
  switch (type) {
    case 'unassigned_payment':
      return { to: '/money/matching', search: { payment: id } }
    case 'refund':
      return { to: '/money/refunds', search: { refund: id } }
    case 'approval':
      return { to: '/approvals', search: { open: `cell-${id}` } }
    case 'directory_approval':
      return { to: '/approvals', search: { open: `directory-${id}` } }
    case 'transfer':
      return { to: '/transfers', search: { transfer: id } }
    case 'unrequested_transfer':
      return { to: '/transfers/unrequested', search: { judged: 'false' } }
    case 'user':
      return { to: '/team' }
    case 'credential':
    case 'webhook_endpoint':
      return { to: '/developers' }
    default:
      return pageOf(type, id) ?? { to: '/settlement' }
  }
}

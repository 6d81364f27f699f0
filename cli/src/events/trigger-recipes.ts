import type { eventTypes } from '../base/generated/operations.ts'
import {
  account,
  approve,
  benefitingPerson,
  breakMints,
  cancel,
  changeAccount,
  company,
  order,
  passDeadline,
  pay,
  reject,
  type Step,
  wallet,
} from './trigger-steps.ts'

type EventType = (typeof eventTypes)[number]

/** What leads to an event. Steps behind `afterwards` wait until that event has come. */
export interface Recipe {
  readonly steps: readonly Step[]
  readonly afterwards?: { readonly event: EventType; readonly steps: readonly Step[] }
}

const minting: Recipe = { steps: [account, approve, wallet, order, pay('exact')] }
const failing: Recipe = { steps: [account, approve, wallet, breakMints, order, pay('exact')] }

const byOperators = 'only an operator brings it about, in the operator API'
const byUsers = 'only an admin of the tenant brings it about, in the operator API'

/** All that can happen: how to make it happen, or why that is not possible from here. */
export const recipes: Record<EventType, Recipe | string> = {
  'account.created': { steps: [account] },
  'account.updated': { steps: [account, changeAccount] },
  'account.approval_changed': { steps: [account, approve] },
  'benefiting_person.created': { steps: [company, benefitingPerson] },
  'offering.opened': byOperators,
  'offering.closed': byOperators,
  'order.created': { steps: [account, order] },
  'order.part_paid': { steps: [account, order, pay('short')] },
  'order.paid': { steps: [account, order, pay('exact')] },
  'order.not_paid_in_time': { steps: [account, order, passDeadline] },
  'order.extended': byOperators,
  'order.accepted': byOperators,
  'order.blocked': { steps: [account, order, pay('exact')] },
  'order.ready_to_mint': minting,
  'order.gate_lost': { ...failing, afterwards: { event: 'order.mint_failed', steps: [reject] } },
  'order.minting': minting,
  'order.mint_failed': failing,
  'order.minted': minting,
  'order.cancelled': { steps: [account, order, cancel] },
  'payment.received': { steps: [account, order, pay('exact')] },
  'refund.due': { steps: [account, order, pay('over')] },
  'refund.sent': byOperators,
  'refund.settled': byOperators,
  'refund.failed': byOperators,
  'refund.withdrawn': byOperators,
  'wallet.registered': { steps: [account, wallet] },
  'wallet.activated': { steps: [account, wallet] },
  'wallet.suspended': byOperators,
  'wallet.resumed': byOperators,
  'wallet.retired': byOperators,
  'wallet.reopened': byOperators,
  'wallet.expired': byOperators,
  'transaction.pending': minting,
  'transaction.confirmed': minting,
  'credential.issued': byUsers,
  'credential.changed': byUsers,
  'credential.rotated': byUsers,
  'credential.disabled': byUsers,
}

export function breaksMints({ steps }: Recipe): boolean {
  return steps.includes(breakMints)
}

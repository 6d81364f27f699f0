import type { QueryKey } from '@tanstack/react-query'

/**
 * The lists that an event of a resource may change, by the first part of its type. A test fails if an event type is
 * missing here, or a query of a screen neither here nor in its list of those that no event changes.
 */
export const listsOf: Readonly<Record<string, readonly string[]>> = {
  account: ['accounts', 'holders'],
  benefiting_person: ['accounts'],
  kyc_check: ['accounts'],
  distribution: ['distributions'],
  entitlement: ['distributions'],
  transfer: ['transfers'],
  // Extracts of one holder, which integrators read.
  register_extract: [],
  offering: ['offerings', 'chains'],
  order: ['orders', 'offerings', 'chain-ops'],
  payment: ['orders', 'unassigned-payments'],
  refund: ['refunds', 'payouts'],
  wallet: ['holders'],
  transaction: ['holders', 'register-changes', 'offerings', 'unrequested-transfers'],
  credential: ['credentials', 'credential-requests'],
  unassigned_payment: ['unassigned-payments', 'refunds'],
  statement: ['statements', 'statement', 'unassigned-payments'],
  entry: ['statements', 'statement'],
  payout: ['payouts', 'refunds'],
  approval: ['approvals', 'approval', 'approval-subject', 'token-actions', 'token-action'],
  chain_op: ['chain-ops', 'chain-op', 'chains', 'signers', 'gas', 'token-actions', 'token-action'],
  signer: ['signers', 'gas', 'chains'],
  webhook_endpoint: ['webhook-endpoints'],
  // A limit of the tenant, which no screen lists.
  tenant: [],
  // After a restore everything may be different: an empty key is the beginning of all.
  events: [],
}

/** Whatever happened, it may be work, and both logs have grown. */
export const alwaysOld: readonly string[] = ['work', 'audit', 'events']

/** The queries that an event may have made old: lists of its resource, and everything about the objects it names. */
export function queriesOf(type: string, data: Readonly<Record<string, unknown>>): QueryKey[] {
  const [resource = ''] = type.split('.')
  if (resource === 'events') return [[]]
  const ids = Object.entries(data).flatMap(([name, id]) =>
    name.endsWith('_id') && typeof id === 'string' ? [[name.slice(0, -3), id] as const] : [],
  )
  return [
    ...[...alwaysOld, ...(listsOf[resource] ?? [])].map((list) => [list]),
    ...ids.flatMap(([name, id]) => [
      [name.replaceAll('_', '-'), id],
      ['timeline', id],
    ]),
  ]
}

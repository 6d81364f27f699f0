import type { QueryKey } from '@tanstack/react-query'

/**
 * Lists that an event may change, by the resource in its type. A test fails if an event type is missing here. It also
 * fails if a screen's query is neither here nor in the test's list of queries that no event changes.
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
  // A changed limit of the tenant, which no screen lists.
  tenant: [],
  // A restore may change everything, which `queriesOf` handles.
  events: [],
}

/** Queries that every event may change: any event can mean work, and both logs grow. */
export const alwaysOld: readonly string[] = ['work', 'audit', 'events']

/** Returns the queries that an event outdates: lists of its resource, and everything about the objects it names. */
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

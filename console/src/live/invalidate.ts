import type { QueryKey } from '@tanstack/react-query'

/** The lists that an event of a resource may change, by the first part of its type. */
const listsOf: Readonly<Record<string, readonly string[]>> = {
  account: ['accounts'],
  benefiting_person: ['accounts'],
  offering: ['offerings'],
  order: ['orders', 'offerings'],
  payment: ['orders', 'unassigned-payments'],
  refund: ['refunds', 'payouts'],
  credential: ['credentials'],
  unassigned_payment: ['unassigned-payments'],
  statement: ['statements'],
  entry: ['statements'],
  payout: ['payouts', 'refunds'],
  approval: ['approvals', 'approval'],
  chain_op: ['chain-ops'],
  webhook_endpoint: ['webhook-endpoints'],
}

/** The queries that an event may have made old: lists of its resource, and everything about the objects it names. */
export function queriesOf(type: string, data: Readonly<Record<string, unknown>>): QueryKey[] {
  const [resource = ''] = type.split('.')
  const ids = Object.entries(data).flatMap(([name, id]) =>
    name.endsWith('_id') && typeof id === 'string' ? [[name.slice(0, -3), id] as const] : [],
  )
  return [
    ['work'],
    ...(listsOf[resource] ?? []).map((list) => [list]),
    ...ids.flatMap(([name, id]) => [
      [name.replaceAll('_', '-'), id],
      ['timeline', id],
    ]),
  ]
}

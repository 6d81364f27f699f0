/** Returns the status and the most specific ids of an event, to identify it in one line. */
export function aboutOf(data: unknown): string {
  const known = (data ?? {}) as Record<string, unknown>
  const members = ['status', 'order_id', 'wallet_id', 'account_id', 'offering_id', 'client_id']
  const found = members.filter((name) => typeof known[name] === 'string').slice(0, 2)
  return found.map((name) => String(known[name])).join(' ')
}

/** Every permission that a token can have. A constraint in the database has the same list. */
export const scopes = [
  'offering.read',
  'account.create',
  'account.read',
  'account.update',
  'wallet.read',
  'order.create',
  'order.read',
  'order.update',
  'order.delete',
] as const

export type Scope = (typeof scopes)[number]

export function isScope(text: unknown): text is Scope {
  return (scopes as readonly unknown[]).includes(text)
}

/** Returns true if the scope shows investors' names: an order has the name and e-mail address of its account. */
export function readsPersonalData(scope: Scope): boolean {
  return scope === 'account.read' || scope === 'order.read'
}

/**
 * Returns true if the scope can change something, or shows the bank and tax data of all investors in full. Operators
 * see those only one by one, and each time it is recorded.
 */
export function isSensitiveScope(scope: Scope): boolean {
  return scope === 'account.read' || !scope.endsWith('.read')
}

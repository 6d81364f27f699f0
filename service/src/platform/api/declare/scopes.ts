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

/** Whether the scope lists investors with their names: orders have that of their account, and its e-mail address. */
export function readsPersonalData(scope: Scope): boolean {
  return scope === 'account.read' || scope === 'order.read'
}

/**
 * Whether the scope can change something, or shows the bank and tax data of all investors in full, which operators only
 * see one by one and with a record.
 */
export function isSensitiveScope(scope: Scope): boolean {
  return scope === 'account.read' || !scope.endsWith('.read')
}

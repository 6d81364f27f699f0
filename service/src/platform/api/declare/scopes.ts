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

/** Whether a credential with this scope can change something. */
export function isWriteScope(scope: Scope): boolean {
  return !scope.endsWith('.read')
}

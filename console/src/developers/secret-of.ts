/** Returns the secret from a response that shows it once, or undefined if the change waits for a second person. */
export function secretOf(result: unknown): string | undefined {
  const { client_secret: client, secret } = result as { client_secret?: string; secret?: string | null }
  return client ?? secret ?? undefined
}

/** Shows a secret once; undefined hides it. */
export type OnSecret = (secret: string | undefined) => void

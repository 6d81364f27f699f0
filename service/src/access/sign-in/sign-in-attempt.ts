import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { Closed } from '../../platform/api/declare/fields.ts'
import type { ProviderChecks } from '../../platform/api/declare/services.ts'

/**
 * Cookie between the start of a sign-in and the callback of the provider. A page of another site can neither read nor
 * set it, so a callback with a foreign code finds no matching state.
 */
export interface SignInAttempt extends ProviderChecks {
  readonly provider: string
  /** Absent in cookies of an earlier release. */
  readonly isStepUp?: boolean
  /** The secret of an invitation that this sign-in accepts. */
  readonly invitation?: string
  /** Path of our page at which to continue. */
  readonly returnTo?: string
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Attempt = Closed({
  provider: text(31),
  isStepUp: Type.Optional(Type.Boolean()),
  state: text(200),
  nonce: text(200),
  codeVerifier: text(200),
  invitation: Type.Optional(text(200)),
  returnTo: Type.Optional(text(300)),
})

const cookieName = '__Host-sign-in'
// `Lax`: the callback is a navigation from the site of the provider.
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'
const secondsMax = 600

export function attemptCookieHeader(attempt: SignInAttempt | undefined): string {
  if (!attempt) return `${cookieName}=; ${attributes}; Max-Age=0`
  const value = Buffer.from(JSON.stringify(attempt)).toString('base64url')
  return `${cookieName}=${value}; ${attributes}; Max-Age=${secondsMax}`
}

export function attemptOf(cookies: string | undefined): SignInAttempt | undefined {
  const prefix = `${cookieName}=`
  const pair = cookies
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
  if (!pair) return undefined
  try {
    const parsed: unknown = JSON.parse(Buffer.from(pair.slice(prefix.length), 'base64url').toString())
    return Value.Check(Attempt, parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Paths at which a sign-in may continue: only our pages, so that a link cannot send a signed-in person elsewhere. */
export const returnToPattern = '^/console(/[A-Za-z0-9-]+)*$'

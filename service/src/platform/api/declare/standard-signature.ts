import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { SignedRequest } from './signed-request.ts'

/** Returns true if one of the secrets signed the body as Standard Webhooks specifies, at most five minutes ago. */
export function hasStandardSignature(
  { headers, body }: Pick<SignedRequest, 'headers' | 'body'>,
  secrets: readonly string[],
): boolean {
  const signatureHeaders = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name] ?? '')]),
  )
  // Tries all secrets even after a match, so that the response time does not reveal which one matched.
  return secrets.map((secret) => isSignedWith(secret, signatureHeaders, body)).includes(true)
}

function isSignedWith(secret: string, headers: Record<string, string>, body: Buffer): boolean {
  try {
    // The request pipeline parses the body later: a signed body may still be invalid JSON.
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}

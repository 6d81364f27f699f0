import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { SignedRequest } from '../../platform/api/declare/operation.ts'

/** Whether these bytes are signed as Standard Webhooks says, in the last five minutes, with one of these secrets. */
export function isSignedByStandard(
  { headers, body }: Pick<SignedRequest, 'headers' | 'body'>,
  secrets: readonly string[],
): boolean {
  const plain = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name] ?? '')]),
  )
  // All are compared, whichever fits, so that the time tells nothing.
  return secrets.map((secret) => isSignedWith(secret, plain, body)).includes(true)
}

function isSignedWith(secret: string, headers: Record<string, string>, body: Buffer): boolean {
  try {
    // What it says is for the pipeline to read: what is signed may still be no JSON.
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}

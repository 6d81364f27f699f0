import { WebhookError } from './webhook-errors.ts'

/** Imports a secret of the form `whsec_<base64>` as an HMAC-SHA-256 key. */
export async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '')
  if (!bytes || bytes.length === 0)
    throw new WebhookError(
      'secret_malformed',
      'The webhook secret must be whsec_ followed by base64, as it was shown when the endpoint was created.',
    )
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** The signed content of Standard Webhooks: id, timestamp and raw body, separated by dots. */
export function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

export function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

import { WebhookError } from './webhook-errors.ts'

/** HMAC-SHA-256 keys of a secret `whsec_<base64>`. */
export async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '')
  if (!bytes || bytes.length === 0)
    throw new WebhookError('secret_malformed', 'A webhook secret is whsec_ and base64, as it was shown to you once.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** What is signed: id, time and the bytes of the body, with points between. */
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

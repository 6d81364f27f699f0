/** Accepted types: none that a browser or an office program executes. */
export const contentTypes = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain'] as const
export type ContentType = (typeof contentTypes)[number]

const signatures: readonly (readonly [ContentType, Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
]

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Detects the type by the first bytes, whatever the sender says. Returns undefined if it is none of the above. */
export function contentTypeOf(bytes: Buffer): ContentType | undefined {
  const signed = signatures.find(([, signature]) => bytes.subarray(0, signature.length).equals(signature))
  if (signed) return signed[0]
  return isText(bytes) ? 'text/plain' : undefined
}

/** Returns true for UTF-8 whose only control characters are tab, line feed, form feed and carriage return. */
function isText(bytes: Buffer): boolean {
  const allowed = [0x09, 0x0a, 0x0c, 0x0d]
  if (bytes.length === 0 || bytes.some((byte) => byte === 0x7f || (byte < 0x20 && !allowed.includes(byte))))
    return false
  try {
    utf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

/**
 * AES-256-GCM with the id of its key in front, so that what is stored says by itself which key opens it: version (1
 * byte), key id (16), nonce (12), tag (16), ciphertext. The context is authenticated and not stored: a box that is
 * moved to another row or field does not open.
 */
export function seal({ id, secret }: BoxKey, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  cipher.setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(version), bytesOfUuid(id), nonce, cipher.getAuthTag(), ciphertext])
}

/** Throws when the key, the context or a single bit is another. */
export function open({ secret }: BoxKey, box: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', secret, box.subarray(nonceAt, tagAt))
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(box.subarray(tagAt, ciphertextAt))
  return Buffer.concat([decipher.update(box.subarray(ciphertextAt)), decipher.final()])
}

export function keyIdOf(box: Buffer): string {
  if (box[0] !== version || box.length < ciphertextAt) throw new Error('this is not a sealed box')
  const hex = box.toString('hex', 1, nonceAt)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export interface BoxKey {
  /** A UUID. */
  readonly id: string
  /**
   * 32 bytes, made ready once: for plain bytes Node makes a key object at each use, which takes longer than sealing.
   */
  readonly secret: KeyObject
}

const version = 1
const nonceBytes = 12
const nonceAt = 1 + 16
const tagAt = nonceAt + nonceBytes
const ciphertextAt = tagAt + 16

function bytesOfUuid(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

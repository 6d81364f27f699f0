import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto'
import { bytesOfId, idOfBytes } from './ids.ts'

/**
 * Encrypts with AES-256-GCM. The box starts with the id of its key, so the stored bytes identify the key that opens
 * them: version (1 byte), key id (16), nonce (12), tag (16), ciphertext. What it is sealed for is authenticated but
 * not stored, so a box that was copied to another row or column does not open.
 */
export function seal({ id, secret }: BoxKey, plain: string | Buffer, sealedFor: string): Buffer {
  const nonce = nextNonce()
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  cipher.setAAD(Buffer.from(sealedFor))
  // Copies large values as rarely as possible: their memory is freed only when V8 collects garbage. GCM has no padding,
  // so `final` returns nothing.
  const ciphertext = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  cipher.final()
  const box = Buffer.allocUnsafe(ciphertextAt + ciphertext.length)
  box[0] = version
  bytesOfId(id).copy(box, 1)
  nonce.copy(box, nonceAt)
  cipher.getAuthTag().copy(box, tagAt)
  ciphertext.copy(box, ciphertextAt)
  return box
}

/** Throws unless key and `sealedFor` are those used for sealing, or if any bit was changed. */
export function open({ secret }: BoxKey, box: Buffer, sealedFor: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', secret, box.subarray(nonceAt, tagAt))
  decipher.setAAD(Buffer.from(sealedFor))
  decipher.setAuthTag(box.subarray(tagAt, ciphertextAt))
  const plain = decipher.update(box.subarray(ciphertextAt))
  // Checks the tag: no part of a changed box is returned.
  decipher.final()
  return plain
}

export function keyIdOf(box: Buffer): string {
  if (box[0] !== version || box.length < ciphertextAt) throw new Error('the bytes are not a sealed box')
  return idOfBytes(box, 1)
}

export interface BoxKey {
  /** Id of the key, a UUID. */
  readonly id: string
  /** 32 bytes. A KeyObject, because Node would convert a Buffer on every use, which takes longer than sealing. */
  readonly secret: KeyObject
}

const version = 1
const nonceBytes = 12
const nonceAt = 1 + 16
const tagAt = nonceAt + nonceBytes
const ciphertextAt = tagAt + 16

/** Returns random bytes for one use. Draws them for many boxes at a time: drawing twelve takes a third of sealing. */
function nextNonce(): Buffer {
  if (nonceFrom === nonces.length) {
    randomFillSync(nonces)
    nonceFrom = 0
  }
  nonceFrom += nonceBytes
  return nonces.subarray(nonceFrom - nonceBytes, nonceFrom)
}

const nonces = Buffer.alloc(256 * nonceBytes)
let nonceFrom = nonces.length

import { createHmac, randomInt } from 'node:crypto'
import { idOfBytes } from '../../platform/base/ids.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import { newOperatorSecret } from '../credentials/operator-secret.ts'

/** Alphabet of RFC 8628, 6.1: no vowels, which would spell words, and no characters that look alike. 34 bits. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const userCodeLength = 8

export interface NewDeviceCodes {
  /** Both codes lead to the id. It reveals neither. */
  readonly id: string
  /** Secret of the device, which polls with it. */
  readonly deviceCode: string
  /** Code that a person types on one of our pages, such as `WDJB-MJHT`. */
  readonly userCode: string
}

export function newDeviceCodes(peppers: KeyRing): NewDeviceCodes {
  const letters = Array.from({ length: userCodeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`
  const id = idOf(peppers, letters)
  return { id, userCode, deviceCode: newOperatorSecret('device', id).secret }
}

/** Accepts lower case, spaces and a missing dash, as people type. Returns undefined if the text cannot be a code. */
export function idOfUserCode(peppers: KeyRing, typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  const isCode = letters.length === userCodeLength && [...letters].every((letter) => alphabet.includes(letter))
  return isCode ? idOf(peppers, letters) : undefined
}

/** Derives the id by HMAC, because the code is short: a stolen database alone does not reveal open codes. */
function idOf({ current }: KeyRing, letters: string): string {
  return idOfBytes(createHmac('sha256', current.hmacKey).update(`user code ${letters}`).digest())
}

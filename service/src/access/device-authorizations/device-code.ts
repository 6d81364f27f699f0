import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { KeyRing } from '../../platform/base/key-ring.ts'

/** Alphabet of RFC 8628, 6.1: no vowels, which would spell words, and no characters that look alike. 34 bits. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const userCodeLength = 8
const prefix = 'itd_'
const idBytes = 16
const secretBytes = 32

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
  const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), randomBytes(secretBytes)])
  return { id, userCode, deviceCode: prefix + bytes.toString('base64url') }
}

/** Returns undefined if the text is not a device code. */
export function idOfDeviceCode(deviceCode: string): string | undefined {
  const bytes = Buffer.from(deviceCode.slice(prefix.length), 'base64url')
  // Encodes the bytes again to compare, because Node skips invalid base64url characters when decoding.
  if (bytes.length !== idBytes + secretBytes || prefix + bytes.toString('base64url') !== deviceCode) return undefined
  return uuidOf(bytes.subarray(0, idBytes))
}

/** Accepts lower case, spaces and a missing dash, as people type. Returns undefined if the text cannot be a code. */
export function idOfUserCode(peppers: KeyRing, typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  const isCode = letters.length === userCodeLength && [...letters].every((letter) => alphabet.includes(letter))
  return isCode ? idOf(peppers, letters) : undefined
}

/** Derives the id by HMAC, because the code is short: a stolen database alone does not reveal open codes. */
function idOf({ current }: KeyRing, letters: string): string {
  return uuidOf(createHmac('sha256', current.hmacKey).update(`user code ${letters}`).digest().subarray(0, idBytes))
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

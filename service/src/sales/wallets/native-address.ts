import { createHash } from 'node:crypto'
import { base32, createBase58check } from '@scure/base'
import { getAddress, isAddress } from 'viem/utils'
import { blockchains } from './blockchains.ts'
import type { walletProviders } from './wallet.schema.ts'

type WalletProvider = (typeof walletProviders)[number]

interface AddressFormat {
  readonly chains: readonly [string, ...string[]]
  /** Completes the sentence "The member public_address must …". */
  readonly rule: string
  /** Returns the address in its canonical form, or undefined if it is not valid. */
  readonly parse: (text: string) => string | undefined
}

const evm: AddressFormat = {
  chains: blockchains,
  rule: 'be 0x and 40 hexadecimal digits, in lower case or with a correct EIP-55 checksum',
  parse: (text) => (isAddress(text) ? getAddress(text) : undefined),
}

const formats: Partial<Record<WalletProvider, AddressFormat>> = {
  STELLAR: {
    chains: ['stellar'],
    rule: 'be the public key of a Stellar account: G and 55 characters with a correct checksum',
    parse: (text) => (isStellarAccount(text) ? text : undefined),
  },
  CONCORDIUM: {
    chains: ['concordium'],
    rule: 'be the address of a Concordium account, in base58 with a correct checksum',
    parse: (text) => (isConcordiumAccount(text) ? text : undefined),
  },
}

export interface NativeAddress {
  readonly publicAddress: string
  readonly blockchain: string
}

/** Returns the address in the canonical form of its chain, or which member is wrong and why. */
export function nativeAddressOf(wallet: {
  provider: WalletProvider
  public_address: string
  blockchain?: string
}): NativeAddress | { detail: string; pointer: string } {
  const { provider, public_address, blockchain } = wallet
  const { chains, rule, parse } = formats[provider] ?? evm
  if (blockchain !== undefined && !chains.includes(blockchain))
    return { detail: `The member blockchain must be ${chains.join(' or ')} for ${provider}.`, pointer: '/blockchain' }
  const publicAddress = parse(public_address)
  return publicAddress === undefined
    ? { detail: `The member public_address must ${rule}.`, pointer: '/public_address' }
    : { publicAddress, blockchain: blockchain ?? chains[0] }
}

const stellarVersion = 48

/** Checks SEP-23: base32 of a version byte, the 32 bytes of the key and a CRC16 over both, low byte first. */
function isStellarAccount(text: string): boolean {
  if (!/^G[A-Z2-7]{55}$/.test(text)) return false
  const bytes = base32.decode(text)
  const [low, high] = bytes.slice(33)
  return (
    bytes.length === 35 && bytes[0] === stellarVersion && crc16(bytes.slice(0, 33)) === (low ?? 0) + (high ?? 0) * 256
  )
}

/** CRC16/XMODEM, with which Stellar detects typos. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
  }
  return crc
}

const base58check = createBase58check((data) => createHash('sha256').update(data).digest())
const concordiumVersion = 1

/** Checks Base58check of a version byte and 32 bytes. Limits the length first: decoding takes quadratic time. */
function isConcordiumAccount(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{45,55}$/.test(text)) return false
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 33 && bytes[0] === concordiumVersion
  } catch {
    // The checksum is wrong.
    return false
  }
}

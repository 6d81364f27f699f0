import type { Hex } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { getAddress, isAddressEqual, verifyMessage } from 'viem/utils'
import { type Blockchain, chainIds } from './blockchains.ts'

/** The challenge that the wallet was given. */
export interface OpenChallenge {
  readonly publicAddress: string
  readonly blockchain: Blockchain
  readonly nonce: string
  readonly expiresAt: Date
}

/**
 * Returns what is wrong with a proof as a sentence, or undefined if it is valid. Does not call a chain, so it cannot
 * verify signatures of contract wallets (EIP-1271).
 */
export async function findProofProblem(
  challenge: OpenChallenge,
  { message, signature }: { message: string; signature: string },
  { domain, now }: { domain: string; now: Date },
): Promise<string | undefined> {
  const signed = parseSiweMessage(message)
  const address = getAddress(challenge.publicAddress)
  if (!signed.address || signed.version !== '1') return 'The message does not have the form of EIP-4361.'
  if (!isAddressEqual(signed.address, address)) return 'The message is for another address.'
  if (signed.chainId !== chainIds[challenge.blockchain]) return 'The message is for another chain id.'
  if (signed.domain !== domain) return `The message is for another domain than ${domain}.`
  if (signed.nonce !== challenge.nonce) return 'The message has another nonce than the latest challenge of the wallet.'
  if (isPast(signed.expirationTime, now) || isPast(challenge.expiresAt, now)) return 'The challenge has expired.'
  if (signed.notBefore && !(signed.notBefore <= now)) return 'The message is not valid yet.'
  if (!(await isSignedBy(address, message, signature)))
    return 'The signature is not a signature of this message by this address.'
  return undefined
}

/** A missing or unparsable time counts as past. */
function isPast(time: Date | undefined, now: Date): boolean {
  return !time || !(now < time)
}

async function isSignedBy(address: Hex, message: string, signature: string): Promise<boolean> {
  try {
    return await verifyMessage({ address, message, signature: signature as Hex })
  } catch {
    // viem throws for bytes that are not a point on the curve. The caller sent them, so this is not a server error.
    return false
  }
}

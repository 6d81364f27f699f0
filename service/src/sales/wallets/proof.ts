import type { Hex } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { getAddress, isAddressEqual, verifyMessage } from 'viem/utils'
import { type Blockchain, chainIds } from './blockchains.ts'

/** What the wallet was asked to prove. */
export interface OpenChallenge {
  readonly publicAddress: string
  readonly blockchain: Blockchain
  readonly nonce: string
  readonly expiresAt: Date
}

/**
 * What is wrong with a proof, as a sentence; undefined where nothing is. It is verified without asking a chain, so a
 * wallet that is a contract (EIP-1271) cannot prove itself.
 */
export async function problemOfProof(
  challenge: OpenChallenge,
  { message, signature }: { message: string; signature: string },
  { domain, now }: { domain: string; now: Date },
): Promise<string | undefined> {
  const said = parseSiweMessage(message)
  const address = getAddress(challenge.publicAddress)
  if (!said.address || said.version !== '1') return 'The message does not have the form of EIP-4361.'
  if (!isAddressEqual(said.address, address)) return 'The message is about another address.'
  if (said.chainId !== chainIds[challenge.blockchain]) return 'The message is for another chain id.'
  if (said.domain !== domain) return `The message is for another domain than ${domain}.`
  if (said.nonce !== challenge.nonce) return 'The message has another nonce than the last challenge of the wallet.'
  if (isOver(said.expirationTime, now) || isOver(challenge.expiresAt, now)) return 'The challenge has expired.'
  if (said.notBefore && !(said.notBefore <= now)) return 'The message is not valid yet.'
  if (!(await isSignedBy(address, message, signature))) return 'The signature is not of this message by this address.'
  return undefined
}

/** A time that cannot be read is over. */
function isOver(time: Date | undefined, now: Date): boolean {
  return !time || !(now < time)
}

async function isSignedBy(address: Hex, message: string, signature: string): Promise<boolean> {
  try {
    return await verifyMessage({ address, message, signature: signature as Hex })
  } catch {
    // Bytes that are no point of the curve are no signature, and not a fault of ours.
    return false
  }
}

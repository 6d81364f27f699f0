import { randomBytes } from 'node:crypto'
import { createSiweMessage } from 'viem/siwe'
import { getAddress } from 'viem/utils'
import { type Blockchain, chainIds } from './blockchains.ts'

/** Long enough to forward the message to an investor who reads mail once a day. */
const challengeHours = 24

export interface Challenge {
  readonly nonce: string
  readonly expiresAt: Date
  /** The text that the owner of the address signs. */
  readonly message: string
}

/** Creates an EIP-4361 message for the owner of the address to sign. It is valid for our site only. */
export function newChallenge(
  { publicAddress, blockchain }: { publicAddress: string; blockchain: Blockchain },
  { walletProofUrl, now }: { walletProofUrl: string; now: Date },
): Challenge {
  // Not generateSiweNonce of viem, which uses Math.random.
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + challengeHours * 3_600_000)
  const message = createSiweMessage({
    address: getAddress(publicAddress),
    chainId: chainIds[blockchain],
    domain: domainOf(walletProofUrl),
    uri: new URL(walletProofUrl).origin,
    statement: 'I own this wallet and want to receive tokens in it.',
    nonce,
    issuedAt: now,
    expirationTime: expiresAt,
    version: '1',
  })
  return { nonce, expiresAt, message }
}

export function domainOf(walletProofUrl: string): string {
  return new URL(walletProofUrl).host
}

import { randomBytes } from 'node:crypto'
import { createSiweMessage } from 'viem/siwe'
import { getAddress } from 'viem/utils'
import { type Blockchain, chainIds, isBlockchain } from './blockchains.ts'
import type { ChallengeSite } from './challenge-site.ts'
import type { WalletRow } from './wallet.sql.ts'

/** Long enough to forward the message to an investor who reads mail once a day. */
const challengeMs = 24 * 3_600_000

/** Subject of a challenge. The owner signs all of it. */
export interface ChallengedAddress {
  readonly walletId: string
  readonly accountId: string
  readonly publicAddress: string
  readonly blockchain: Blockchain
}

/** The latest challenge of a wallet. */
export interface OpenChallenge extends ChallengedAddress {
  readonly nonce: string
  readonly expiresAt: Date
}

/** Returns the challenge that the owner has to sign; undefined if there is none. */
export function openChallengeOf(wallet: WalletRow): OpenChallenge | undefined {
  const { id: walletId, accountId, publicAddress, blockchain } = wallet
  const { challengeNonce: nonce, challengeExpiresAt: expiresAt } = wallet
  return nonce && expiresAt && isBlockchain(blockchain)
    ? { walletId, accountId, publicAddress, blockchain, nonce, expiresAt }
    : undefined
}

export function newChallenge(address: ChallengedAddress, now: Date): OpenChallenge {
  // Not viem's generateSiweNonce, which uses Math.random.
  return { ...address, nonce: randomBytes(16).toString('hex'), expiresAt: new Date(now.getTime() + challengeMs) }
}

/**
 * Returns the EIP-4361 message that the owner of the address signs. It follows from the challenge, so it is not stored,
 * and a signed message can be compared with it as a whole.
 */
export function challengeMessage(challenge: OpenChallenge, { domain, uri }: ChallengeSite): string {
  const { walletId, accountId, publicAddress, blockchain, nonce, expiresAt } = challenge
  return createSiweMessage({
    address: getAddress(publicAddress),
    chainId: chainIds[blockchain],
    domain,
    uri,
    statement: 'I own this wallet and want to receive tokens in it, for the account and wallet named below.',
    nonce,
    issuedAt: issuedAtOf(challenge),
    expirationTime: expiresAt,
    requestId: walletId,
    resources: [`urn:uuid:${accountId}`],
    version: '1',
  })
}

export function issuedAtOf({ expiresAt }: Pick<OpenChallenge, 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() - challengeMs)
}

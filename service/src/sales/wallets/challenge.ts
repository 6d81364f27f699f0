import { randomBytes } from 'node:crypto'
import { createSiweMessage, SiweInvalidMessageFieldError } from 'viem/siwe'
import { getAddress } from 'viem/utils'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import { type Blockchain, chainIds } from './blockchains.ts'

/** Long enough to forward the message to an investor who reads mail once a day. */
const challengeHours = 24

export interface Challenge {
  readonly nonce: string
  readonly expiresAt: Date
  /** The text that the owner of the address signs. */
  readonly message: string
}

/** Creates an EIP-4361 message for the owner of the address to sign. It is valid for this API only. */
export function newChallenge(
  { publicAddress, blockchain }: { publicAddress: string; blockchain: Blockchain },
  { selfUrl, now }: { selfUrl: string; now: Date },
): Challenge {
  // Not generateSiweNonce of viem, which uses Math.random.
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + challengeHours * 3_600_000)
  try {
    const message = createSiweMessage({
      address: getAddress(publicAddress),
      chainId: chainIds[blockchain],
      domain: domainOf(selfUrl),
      uri: originOf(selfUrl),
      statement: 'I own this wallet and want to receive tokens in it.',
      nonce,
      issuedAt: now,
      expirationTime: expiresAt,
      version: '1',
    })
    return { nonce, expiresAt, message }
  } catch (error) {
    if (!(error instanceof SiweInvalidMessageFieldError)) throw error
    // The message needs the host name of this API, and the service only knows it from the request.
    const detail = 'The header Host must be a name with a dot, an IPv4 address or localhost: the wallet shows it.'
    throw validationFailed([{ detail, header: 'Host' }])
  }
}

/** The host by which the client called this API; empty if there is none. */
export function domainOf(selfUrl: string): string {
  return URL.canParse(selfUrl) ? new URL(selfUrl).host : ''
}

function originOf(selfUrl: string): string {
  return URL.canParse(selfUrl) ? new URL(selfUrl).origin : ''
}

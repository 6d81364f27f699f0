import { randomBytes } from 'node:crypto'
import { createSiweMessage, SiweInvalidMessageFieldError } from 'viem/siwe'
import { getAddress } from 'viem/utils'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import { type Blockchain, chainIds } from './blockchains.ts'

/** Long enough to hand the message on to an investor who reads mail once a day. */
const challengeHours = 24

export interface Challenge {
  readonly nonce: string
  readonly expiresAt: Date
  /** What the owner of the address signs. */
  readonly message: string
}

/** A message (EIP-4361) that only the owner of the address can sign, and that proves nothing anywhere else. */
export function newChallenge(
  { publicAddress, blockchain }: { publicAddress: string; blockchain: Blockchain },
  { here, now }: { here: string; now: Date },
): Challenge {
  // Not the library's own nonce, which comes from Math.random.
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + challengeHours * 3_600_000)
  try {
    const message = createSiweMessage({
      address: getAddress(publicAddress),
      chainId: chainIds[blockchain],
      domain: domainOf(here),
      uri: originOf(here),
      statement: 'I own this wallet and want to receive tokens in it.',
      nonce,
      issuedAt: now,
      expirationTime: expiresAt,
      version: '1',
    })
    return { nonce, expiresAt, message }
  } catch (error) {
    if (!(error instanceof SiweInvalidMessageFieldError)) throw error
    // The address of the request is all that we know of our own name, and wallets show it to who signs.
    const detail = 'The header Host must be a name with a dot, an IPv4 address or localhost: a wallet shows it.'
    throw validationFailed([{ detail, header: 'Host' }])
  }
}

/** Who asks for the signature: the host by which this API was called. Empty where that is none. */
export function domainOf(here: string): string {
  return URL.canParse(here) ? new URL(here).host : ''
}

function originOf(here: string): string {
  return URL.canParse(here) ? new URL(here).origin : ''
}

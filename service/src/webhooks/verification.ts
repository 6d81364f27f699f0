import { randomBytes } from 'node:crypto'
import { newRowId } from '../platform/base/ids.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { dropVerifications, insertPing } from './delivery.sql.ts'
import { type EndpointChallenge, type EndpointKey, setChallenge } from './endpoint.sql.ts'
import { enqueueDeliveryJobNow } from './enqueue-deliveries.ts'
import { verificationType } from './message.ts'

/** Time to echo the challenge. The retry schedule has four attempts in it: at once, after 5 s, 5 min and 30 min. */
const verificationMs = 3_600_000

export function newEndpointChallenge(now: Date): EndpointChallenge {
  return {
    challenge: randomBytes(24).toString('base64url'),
    challengeEndsAt: new Date(now.getTime() + verificationMs),
  }
}

/**
 * Asks the receiver of a locked endpoint to prove again that it wants messages: its URL has changed, or an operator
 * requests it. Pending deliveries wait for the result. Returns the id of the message.
 */
export async function verifyAgain(tx: Transaction, key: EndpointKey, now: Date): Promise<string> {
  await setChallenge(tx, key, newEndpointChallenge(now))
  await dropVerifications(tx, key)
  return sendVerification(tx, key)
}

/** Sends the challenge of the endpoint now. Returns the id of the message. */
export async function sendVerification(tx: Transaction, key: EndpointKey): Promise<string> {
  const eventId = newRowId()
  await insertPing(tx, { ...key, eventId }, verificationType)
  await enqueueDeliveryJobNow(tx, key)
  return eventId
}

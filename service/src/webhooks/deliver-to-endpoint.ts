import { selectAdmins } from '../access/tenants/tenant.sql.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../platform/db/tenant-transaction.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import { type DueDelivery, listDue } from './delivery.sql.ts'
import { countAttempt, type DeliveryAttempt, type DeliveryContext } from './delivery.ts'
import { endTurn, keepTurn } from './delivery-lease.sql.ts'
import { type EndpointKey, type EndpointRow, findEndpoint, lockEndpoint } from './endpoint.sql.ts'
import { type EndpointHealth, reasonToDisable } from './endpoint-health.ts'
import { secretContext } from './endpoint-secret.ts'
import { queueTurn } from './enqueue-deliveries.ts'
import { bodyOf, pingBody, signedHeadersOf } from './message.ts'
import { recordOutcomes } from './record-results.ts'

/** So many messages are on their way to an endpoint that answers; to one that does not, one finds out for all. */
const inFlightMax = 8
/** Then another job goes on, so that a busy endpoint does not keep a place for ever. */
const turnMsMax = 10_000

export interface EndpointTurn extends EndpointKey {
  turn: string
  isFailingLane: boolean
}

/**
 * Sends what is due to one endpoint, round by round, until nothing is. What came of a round is written down, and the
 * next one read, in one transaction; nothing is held while a receiver is waited for. Whoever dies in between leaves
 * messages that are sent again under the same id.
 */
export async function serveEndpoint(delivery: DeliveryContext, turn: EndpointTurn): Promise<void> {
  const { tenantId } = turn
  const endsAt = performance.now() + turnMsMax
  let round = await delivery.limitTransactions(() =>
    inTenantTransaction(delivery, { tenantId, access: 'read' }, (tx) => firstRound(delivery, tx, turn)),
  )
  let made: DeliveryAttempt[] = []
  for (;;) {
    if (round) {
      const { messages } = round
      made = await Promise.all(messages.map((message) => attempt(delivery, message, round as Round)))
    }
    const told = await selectAdminEmails(delivery, tenantId, round?.endpoint, made)
    const written = { attempts: made, told, isLast: performance.now() > endsAt }
    round = await delivery.limitTransactions(() =>
      inTenantTransaction(delivery, { tenantId, access: 'write' }, (tx) => nextRound(delivery, tx, turn, written)),
    )
    if (!round) return
  }
}

interface Round {
  readonly endpoint: EndpointRow
  readonly secrets: readonly string[]
  readonly messages: readonly DueDelivery[]
}

/** Most often there is something to send, and this only has to read it. Undefined where it takes a second look. */
async function firstRound(delivery: DeliveryContext, tx: Transaction, turn: EndpointTurn): Promise<Round | undefined> {
  const [endpoint, due] = await Promise.all([findEndpoint(tx, turn), listDue(tx, turn, inFlightMax)])
  if (!endpoint) return undefined
  const messages = due.slice(0, roomIn(endpoint, turn, delivery.clock()))
  return messages.length > 0
    ? { endpoint, messages, secrets: await openSecrets(delivery, tx, turn, endpoint) }
    : undefined
}

/** What came of the round before is written down, and another one is read; or the turn ends, and the next is queued. */
async function nextRound(
  delivery: DeliveryContext,
  tx: Transaction,
  turn: EndpointTurn,
  { attempts, told, isLast }: { attempts: readonly DeliveryAttempt[]; told: readonly string[]; isLast: boolean },
): Promise<Round | undefined> {
  const locked = await lockEndpoint(tx, turn)
  if (!locked) return undefined
  const endpoint = attempts.length > 0 ? await recordOutcomes(delivery, tx, { locked, turn, attempts, told }) : locked
  // Not even the end of the turn is ours where a person, or who took this job for dead, has given it another one.
  if (endpoint.disabledAt || endpoint.turn !== turn.turn) return undefined
  const room = isLast ? 0 : roomIn(endpoint, turn, delivery.clock())
  const messages = room > 0 ? await listDue(tx, turn, room) : []
  if (messages.length === 0) {
    const next = await endTurn(tx, turn)
    if (next) await queueTurn(tx, turn.tenantId, next)
    return undefined
  }
  const [secrets] = await Promise.all([openSecrets(delivery, tx, turn, endpoint), keepTurn(tx, turn)])
  return { endpoint, secrets, messages }
}

/** How many messages may be on their way now: none in a turn that is over, or while the endpoint is left alone. */
function roomIn(endpoint: EndpointRow, { turn, isFailingLane }: EndpointTurn, now: Date): number {
  const isOver = endpoint.disabledAt !== null || endpoint.turn !== turn
  const isBlocked = endpoint.blockedUntil !== null && endpoint.blockedUntil > now
  // One that is well again goes on in the lane of those that are.
  if (isOver || isBlocked || (isFailingLane && endpoint.failures === 0)) return 0
  return endpoint.failures === 0 ? inFlightMax : 1
}

/** Those that sign now: the newest, and the one before it until its time is over. */
async function openSecrets(
  { vaults, clock }: DeliveryContext,
  tx: Transaction,
  { tenantId }: EndpointTurn,
  { id, sealedSecret, sealedOldSecret, oldSecretEndsAt }: EndpointRow,
): Promise<string[]> {
  const isOldAlive = oldSecretEndsAt !== null && oldSecretEndsAt > clock()
  const alive = isOldAlive && sealedOldSecret ? [sealedSecret, sealedOldSecret] : [sealedSecret]
  return Promise.all(alive.map((box) => vaults.of(tx, tenantId).open(box, secretContext(id))))
}

async function attempt(
  delivery: DeliveryContext,
  message: DueDelivery,
  { endpoint, secrets }: Round,
): Promise<DeliveryAttempt> {
  const { eventId, event, eventCreatedAt } = message
  const body =
    event && eventCreatedAt
      ? bodyOf({ ...event, id: eventId, createdAt: eventCreatedAt })
      : pingBody({ ...message, endpointId: endpoint.id })
  const at = delivery.clock()
  const posted = await delivery.poster.post(endpoint.url, signedHeadersOf(eventId, body, secrets, at), body)
  const made = { message, at, posted }
  countAttempt(made)
  return made
}

/**
 * Who has to hear that the endpoint will be disabled now. They are in the directory, so they are read before the
 * transaction in the cell that disables it and queues their mails.
 */
async function selectAdminEmails(
  { databases, clock }: DeliveryContext,
  tenantId: string,
  health: EndpointHealth | undefined,
  made: readonly DeliveryAttempt[],
): Promise<string[]> {
  const posted = made.map((one) => one.posted)
  if (!health || !reasonToDisable(health, posted, clock())) return []
  const found = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    selectAdmins(tx, tenantId),
  )
  return found.map(({ userId }) => userId)
}

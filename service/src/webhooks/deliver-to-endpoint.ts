import { selectDutyHolders } from '../access/users/user.sql.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { type DueDelivery, selectDueDeliveries } from './delivery.sql.ts'
import { countAttempt, type DeliveryAttempt, type DeliveryContext } from './delivery.ts'
import { finishDeliveryJob, renewDeliveryJob } from './delivery-job.sql.ts'
import { type EndpointKey, type EndpointRow, findEndpoint, lockEndpoint } from './endpoint.sql.ts'
import { sealedForEndpoint } from './endpoint-secret.ts'
import { enqueueDeliveryJob } from './enqueue-deliveries.ts'
import { bodyOf, isChallengeEcho, pingBody, signedHeadersOf, verificationBody, verificationType } from './message.ts'
import { reasonToDisable, recordResults } from './record-results.ts'

/** Messages in flight to a healthy endpoint. A failing one gets one at a time, to find out whether it has recovered. */
const inFlightMax = 8
/** Longest run of a job. It then hands over to a new one, so that a busy endpoint does not keep a slot of the queue. */
const jobMsMax = 10_000

export interface EndpointJob extends EndpointKey {
  readonly jobNumber: string
  readonly isFailingQueue: boolean
}

interface Batch {
  readonly endpoint: EndpointRow
  readonly secrets: readonly string[]
  readonly deliveries: readonly DueDelivery[]
}

/**
 * Delivers due messages to one endpoint in batches. One transaction stores a batch's results and loads the next; none
 * stays open while waiting for the receiver. If the worker dies in between, the messages are sent again with the same
 * id. See delivery.ts.
 */
export async function deliverToEndpoint(context: DeliveryContext, job: EndpointJob): Promise<void> {
  const { tenantId } = job
  const endsAt = performance.now() + jobMsMax
  let batch = await context.transactionTurns.run(tenantId, () =>
    inTenantTransaction(context, { tenantId, access: 'read' }, (tx) => readFirstBatch(context, tx, job)),
  )
  for (;;) {
    const attempts = batch ? await sendBatch(context, batch) : []
    const adminIds = await selectAdminsToNotify(context, tenantId, batch?.endpoint, attempts)
    const sent = { attempts, adminIds, isLast: performance.now() > endsAt }
    batch = await context.transactionTurns.run(tenantId, () =>
      inTenantTransaction(context, { tenantId, access: 'write' }, (tx) => storeAndReadNext(context, tx, job, sent)),
    )
    if (!batch) return
  }
}

/** Reads without a lock, since usually something is due. Returns undefined if deciding needs a lock on the endpoint. */
async function readFirstBatch(context: DeliveryContext, tx: Transaction, job: EndpointJob): Promise<Batch | undefined> {
  const [endpoint, due] = await tx.batch(
    (tx) => findEndpoint(tx, job),
    (tx) => selectDueDeliveries(tx, job, inFlightMax),
  )
  if (!endpoint) return undefined
  const deliveries = due.slice(0, batchSizeMax(endpoint, job, context.clock()))
  return deliveries.length > 0
    ? { endpoint, deliveries, secrets: await decryptSecrets(context, tx, job, endpoint) }
    : undefined
}

/**
 * Stores the results of a batch and reads the next one. If there is none, finishes the job and enqueues its successor.
 */
async function storeAndReadNext(
  context: DeliveryContext,
  tx: Transaction,
  job: EndpointJob,
  sent: { attempts: readonly DeliveryAttempt[]; adminIds: readonly string[]; isLast: boolean },
): Promise<Batch | undefined> {
  const { attempts, adminIds, isLast } = sent
  const locked = await lockEndpoint(tx, job)
  if (!locked) return undefined
  const endpoint = attempts.length > 0 ? await recordResults(context, tx, { locked, job, attempts, adminIds }) : locked
  // A newer job owns the endpoint: an operator requested one, or this job was considered lost.
  if (endpoint.disabledAt || endpoint.jobNumber !== job.jobNumber) return undefined
  const sizeMax = isLast ? 0 : batchSizeMax(endpoint, job, context.clock())
  const deliveries = sizeMax > 0 ? await selectDueDeliveries(tx, job, sizeMax) : []
  if (deliveries.length === 0) {
    const next = await finishDeliveryJob(tx, job)
    if (next) await enqueueDeliveryJob(tx, job.tenantId, next)
    return undefined
  }
  const [secrets] = await tx.batch(
    (tx) => decryptSecrets(context, tx, job, endpoint),
    (tx) => renewDeliveryJob(tx, job),
  )
  return { endpoint, secrets, deliveries }
}

/** Returns how many messages the job may send now: 0 if it is fenced off or the endpoint is backing off. */
function batchSizeMax(endpoint: EndpointRow, { jobNumber, isFailingQueue }: EndpointJob, now: Date): number {
  const isFenced = endpoint.disabledAt !== null || endpoint.jobNumber !== jobNumber
  const isBackingOff = endpoint.backoffUntil !== null && endpoint.backoffUntil > now
  // An endpoint that has recovered continues in the queue of the healthy ones.
  if (isFenced || isBackingOff || (isFailingQueue && endpoint.failures === 0)) return 0
  return endpoint.failures === 0 && endpoint.verifiedAt !== null ? inFlightMax : 1
}

/** Returns the secrets that sign now: the current one, and the previous one during the overlap of a rotation. */
async function decryptSecrets(
  { vaults, clock }: DeliveryContext,
  tx: Transaction,
  { tenantId }: EndpointJob,
  { id, secret, previousSecret, previousSecretEndsAt }: EndpointRow,
): Promise<string[]> {
  const isOverlap = previousSecretEndsAt !== null && previousSecretEndsAt > clock()
  const encrypted = isOverlap && previousSecret ? [secret, previousSecret] : [secret]
  const vault = vaults.of(tx, tenantId)
  return Promise.all(encrypted.map((box) => vault.open(box, sealedForEndpoint(id))))
}

function sendBatch(context: DeliveryContext, batch: Batch): Promise<DeliveryAttempt[]> {
  return Promise.all(batch.deliveries.map((delivery) => send(context, delivery, batch)))
}

async function send(
  context: DeliveryContext,
  delivery: DueDelivery,
  { endpoint, secrets }: Batch,
): Promise<DeliveryAttempt> {
  const { clock, httpClient } = context
  const { eventId, type } = delivery
  const challenge = type === verificationType ? endpoint.challenge : null
  const body = challenge === null ? messageOf(delivery, endpoint) : verificationOf(delivery, endpoint, challenge)
  const at = clock()
  const headers = signedHeadersOf(eventId, body, secrets, at)
  const isExpected = challenge === null ? undefined : (response: string) => isChallengeEcho(response, challenge)
  const result = await httpClient.post(endpoint.url, headers, body, isExpected)
  const attempt = { delivery, at, result, challenge }
  countAttempt(context, attempt)
  return attempt
}

function messageOf(delivery: DueDelivery, { id }: EndpointRow): string {
  const { eventId, event, eventCreatedAt } = delivery
  return event && eventCreatedAt
    ? bodyOf({ ...event, id: eventId, createdAt: eventCreatedAt })
    : pingBody({ ...delivery, endpointId: id })
}

function verificationOf(delivery: DueDelivery, { id }: EndpointRow, challenge: string): string {
  return verificationBody({ ...delivery, endpointId: id, challenge })
}

/**
 * Returns the admins to mail if these results disable the endpoint. They are in the directory, so they are read before
 * the transaction in the cell that disables it and enqueues the mails.
 */
async function selectAdminsToNotify(
  context: DeliveryContext,
  tenantId: string,
  endpoint: EndpointRow | undefined,
  attempts: readonly DeliveryAttempt[],
): Promise<string[]> {
  const { databases } = context
  if (!endpoint || !reasonToDisable(context, endpoint, attempts)) return []
  const admins = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, (tx) =>
    selectDutyHolders(tx, { tenantId, duty: 'integrations' }),
  )
  return admins.map(({ id }) => id)
}

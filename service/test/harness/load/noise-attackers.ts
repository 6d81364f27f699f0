import { setTimeout as sleep } from 'node:timers/promises'
import { approvalRisks } from '../../../src/sales/accounts/approval-risks.ts'
import type { OperatorClient } from '../callers/operator-client.ts'
import { StreamReader } from '../callers/stream-reader.ts'
import { UnfinishedRequests } from '../callers/unfinished-requests.ts'
import { fillAuditLog } from '../data/audit-log.ts'
import type { NoiseWorld } from './noise-world.ts'

type Statuses = Record<string, number>

/**
 * An attacker in the noisy tenant. It sends little: the drill measures how much each request occupies, not its cost for
 * the machine, which attackers and service share.
 */
export interface NoiseAttacker {
  readonly name: string
  /** Part of the short form. */
  readonly isShort?: boolean
  /** Creates the data that the attack needs. */
  readonly prepare?: (world: NoiseWorld) => Promise<void>
  /** Attacks until the returned function is called, which resolves to the number of requests per status. */
  readonly start: (world: NoiseWorld) => () => Promise<Statuses>
}

/** Sends bodies of one viewer that never arrive, with requests that let the process know the tenant. */
const unfinishedOfViewer: NoiseAttacker = {
  name: 'bodies of a viewer',
  isShort: true,
  start: ({ operatorApi, noisy }) => {
    const viewer = personAt(noisy.viewers, 0)
    const requests = new UnfinishedRequests(operatorApi.baseUrl, viewer.who.token)
    const paths = ['/operator/notes', '/operator/search']
    return unfinished(requests, { paths, perTurn: 16, everyMs: 350, callOnce: () => viewer.get('/offerings') })
  },
}

const unfinishedOfCredential: NoiseAttacker = {
  name: 'bodies of a credential',
  isShort: true,
  start: ({ api, noisy: { tenant } }) => {
    const requests = new UnfinishedRequests(api.baseUrl, tenant.token)
    const callOnce = () => tenant.get('/events')
    return unfinished(requests, { paths: ['/api/accounts'], perTurn: 12, everyMs: 300, callOnce })
  },
}

const streams: NoiseAttacker = {
  name: 'streams of 40 users',
  isShort: true,
  start: ({ operatorApi, noisy: { viewers } }) => {
    const open: StreamReader[] = []
    const statuses: Statuses = {}
    const loop = repeat(5_000, async (isOver) => {
      for (const { who } of viewers)
        for (let count = 0; count < 5 && !isOver(); count += 1) {
          const stream = await StreamReader.open(operatorApi.baseUrl, { token: who.token })
          if (stream.status === 200) open.push(stream)
          add(statuses, stream.status)
        }
    })
    return async () => {
      await loop()
      for (const stream of open) stream.close()
      return statuses
    }
  },
}

const exportsOfViewer: NoiseAttacker = {
  name: 'exports of a viewer',
  isShort: true,
  start: ({ noisy: { viewers } }) =>
    counted(2_000, async (isOver, count) => {
      for (let index = 0; index < 10 && !isOver(); index += 1)
        count((await personAt(viewers, 1).post('/exports', { kind: 'orders' })).status)
    }),
}

const auditEntries = 20_000
const auditVerification: NoiseAttacker = {
  name: 'verifications of the audit log',
  prepare: ({ installation, noisy: { tenant } }) => fillAuditLog(installation, tenant.id, auditEntries),
  start: ({ noisy: { viewers } }) => {
    const loops = Array.from({ length: 95 }, () =>
      counted(0, async (_isOver, count) => {
        const { status } = await personAt(viewers, 2).post('/audit/verify', {})
        count(status)
        if (status !== 200) await sleep(500)
      }),
    )
    return async () => sum(await Promise.all(loops.map((loop) => loop())))
  },
}

const proposals: NoiseAttacker = {
  name: 'bulk proposals of a clerk',
  start: ({ noisy: { clerk, accountId } }) =>
    counted(500, async (_isOver, count) => {
      const items = Array.from({ length: 100 }, (_, index) => ({
        account_id: accountId,
        body: { kyc: 'APPROVED', reason: `checked ${index}`, acknowledged: approvalRisks },
      }))
      count((await clerk.post('/bulk/decideAccount', { items })).status)
    }),
}

/** Attackers that all attack at once. Add new ones here. */
export const noiseAttackers: readonly NoiseAttacker[] = [
  unfinishedOfViewer,
  unfinishedOfCredential,
  streams,
  exportsOfViewer,
  auditVerification,
  proposals,
]

function unfinished(
  requests: UnfinishedRequests,
  how: { paths: readonly string[]; perTurn: number; everyMs: number; callOnce: () => Promise<unknown> },
): () => Promise<Statuses> {
  const openMax = 330
  const loop = repeat(how.everyMs, async () => {
    await how.callOnce()
    for (let count = 0; count < how.perTurn && requests.count < openMax; count += 1)
      requests.begin(how.paths[count % how.paths.length] ?? '')
  })
  return async () => {
    await loop()
    const statuses = { ...requests.statuses, open: requests.count }
    requests.end()
    return statuses
  }
}

/** Repeats the work until the returned function is called, which returns the counts of the reported statuses. */
function counted(
  everyMs: number,
  work: (isOver: () => boolean, count: (status: number) => void) => Promise<void>,
): () => Promise<Statuses> {
  const statuses: Statuses = {}
  const loop = repeat(everyMs, (isOver) => work(isOver, (status) => add(statuses, status)))
  return async () => {
    await loop()
    return statuses
  }
}

/** Repeats the work even if it fails, such as on a closed connection: an attacker does not give up. */
function repeat(everyMs: number, work: (isOver: () => boolean) => Promise<void>): () => Promise<void> {
  let over = false
  const running = (async () => {
    while (!over) {
      await work(() => over).catch(() => sleep(500))
      if (!over) await sleep(everyMs)
    }
  })()
  return async () => {
    over = true
    await running
  }
}

function add(statuses: Statuses, status: number | string, count = 1): void {
  statuses[status] = (statuses[status] ?? 0) + count
}

function sum(all: readonly Statuses[]): Statuses {
  const total: Statuses = {}
  for (const statuses of all) for (const [status, count] of Object.entries(statuses)) add(total, status, count)
  return total
}

function personAt(people: readonly OperatorClient[], index: number): OperatorClient {
  const person = people[index]
  if (!person) throw new Error(`there is no person ${index}`)
  return person
}

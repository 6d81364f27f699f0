import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProcess } from '../../../test/harness/installation/process.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { testSize } from '../../../test/harness/test-size.ts'
import { until } from '../../../test/harness/wait.ts'
import { Placement } from '../../platform/postgres/cells/placement.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { insertAccount } from '../../sales/accounts/account.sql.ts'
import { recordEvent } from './event.sql.ts'

const tenantCount = 4
const accountsOfTenant = 3
const writerCount = 16
const kills = testSize({ short: 10, long: 50 })
/** A worker takes longer to start than to number events, so several start in advance. */
const startingAhead = 4

describe('sequence numbers of events', async () => {
  const installation = await TestInstallation.create({ DATABASE_POOL_MAX: String(writerCount + 4) })
  const placement = new Placement(installation.databases)
  // A worker that stops normally writes the compile cache, which halves the start time of the killed ones.
  const compiled = await mkdtemp(join(tmpdir(), 'investor-token-'))
  const startWorker = () => installation.startWorkerProcess({ NODE_COMPILE_CACHE: compiled })
  await (await startWorker()).stop()
  after(() => installation.end())
  after(() => rm(compiled, { recursive: true }))

  const inTenant = (tenantId: string, work: (tx: Transaction) => Promise<void>) =>
    inTenantTransaction({ databases: installation.databases, placement }, { tenantId, access: 'write' }, work)

  /** Creates tenants with accounts, whose transaction_count the writers increment. */
  async function createSubjects(): Promise<Subject[]> {
    const subjects: Subject[] = []
    for (let tenant = 0; tenant < tenantCount; tenant += 1) {
      const tenantId = await installation.createTenant(`T${tenant}`)
      for (let account = 0; account < accountsOfTenant; account += 1) {
        const accountId = crypto.randomUUID()
        subjects.push({ tenantId, accountId })
        await inTenant(tenantId, (tx) => insertAccount(tx, tenantId, { ...plainAccount, id: accountId }))
      }
    }
    return subjects
  }

  /** Commits one change of a subject with its event, or rolls both back; then the next change gets the same number. */
  async function change({ tenantId, accountId }: Subject, isRolledBack: boolean): Promise<void> {
    const work = inTenant(tenantId, async (tx) => {
      const changed = await tx.row<{ number: string }>(sql`
        update cell.account set transaction_count = transaction_count + 1
        where tenant_id = ${tenantId} and id = ${accountId} returning transaction_count as number`)
      const data = { account_id: accountId, number: Number(changed?.number) }
      await recordEvent(tx, tenantId, { type: 'account.updated', data })
      if (isRolledBack) throw new Error('rolled back on purpose')
    })
    if (isRolledBack) await assert.rejects(work, /rolled back on purpose/)
    else await work
  }

  test(`have no gaps or duplicates, and no event is lost or added, while ${kills} workers are killed`, async () => {
    const subjects = await createSubjects()
    let isDone = false
    let [committed, rolledBack] = [0, 0]
    const writers = Array.from({ length: writerCount }, async () => {
      while (!isDone) {
        const subject = subjects[Math.floor(Math.random() * subjects.length)] as Subject
        const isRolledBack = Math.random() < 0.25
        await change(subject, isRolledBack)
        if (isRolledBack) rolledBack += 1
        else committed += 1
        await sleep(Math.random() * 60)
      }
    })

    const starting: Promise<RunningProcess>[] = []
    for (let killed = 0; killed < kills; killed += 1) {
      while (starting.length < startingAhead) starting.push(startWorker())
      const worker = (await starting.shift()) as RunningProcess
      await sleep(Math.random() * 60)
      await worker.kill()
    }
    await Promise.all(starting.map(async (worker) => (await worker).kill()))
    isDone = true
    await Promise.all(writers)
    await startWorker()
    await until(
      'all events are numbered',
      async () => (await count('select count(*)::int from cell.event_outbox')) === 0,
    )

    assert.ok(committed > 20 * kills && rolledBack > 2 * kills, `${committed} changes, ${rolledBack} rolled back`)
    assert.equal(await count('select count(*)::int from cell.event'), committed)
    assert.equal(await count('select count(distinct id)::int from cell.event'), committed)
    for (const tenantId of new Set(subjects.map((subject) => subject.tenantId))) {
      const { events, lastSequence } = await eventsOf(tenantId)
      assert.deepEqual(
        pluck(events, 'sequence'),
        Array.from(events, (_, index) => index + 1),
      )
      assert.equal(lastSequence, events.length)
      for (const { accountId } of subjects.filter((subject) => subject.tenantId === tenantId)) {
        const changes = await count(
          `select transaction_count::int as count from cell.account where id = '${accountId}'`,
        )
        assert.deepEqual(
          events.filter(({ data }) => data.account_id === accountId).map(({ data }) => data.number),
          Array.from({ length: changes }, (_, index) => index + 1),
          'the events of a subject are in the order of its changes',
        )
      }
    }
  })

  const count = async (query: string): Promise<number> => {
    const rows = await installation.rows<{ count: number }>(query)
    return rows[0]?.count ?? 0
  }

  const eventsOf = (tenantId: string) =>
    installation.owner(async (client) => {
      const { rows: events } = await client.query<NumberedEvent>(
        'select sequence::int, data from cell.event where tenant_id = $1 order by sequence',
        [tenantId],
      )
      const { rows: heads } = await client.query<{ last: number }>(
        'select last_sequence::int as last from cell.event_head where tenant_id = $1',
        [tenantId],
      )
      return { events, lastSequence: heads[0]?.last }
    })
})

interface Subject {
  tenantId: string
  accountId: string
}

interface NumberedEvent {
  sequence: number
  data: { account_id: string; number: number }
}

const plainAccount = {
  type: 'COMPANY',
  email: 'a@example.com',
  emailConfirmed: true,
  isBeneficiary: false,
  profile: { name: 'Analytical GmbH' },
  bankAccount: Buffer.from('sealed'),
  taxInformation: null,
  kycStatus: 'NEW',
  kybStatus: 'NEW',
} as const

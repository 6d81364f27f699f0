import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventsRestoredError, InvestorToken } from '../../../sdk/src/sdk.ts'
import { startNode } from '../../../service/test/harness/installation/process.ts'
import { seededRandom } from '../../../service/test/harness/seeded-random.ts'
import { DrillBank } from './drill-bank.ts'
import { type Acknowledged, DrillLoad } from './drill-load.ts'
import { DrillWorld } from './drill-world.ts'
import { judgeDrill, type Verdict } from './judge-drill.ts'
import { settleAfterRestore } from './settle-after-restore.ts'

export interface DrillResult extends Verdict {
  seed: number
  kills: number
  /** Number of changes acknowledged before the moment; `later` counts those after it. */
  before: number
  later: number
  restoreSeconds: number
  afterRestoreSeconds: number
  openSeconds: number
}

/**
 * Backs up; goes on selling, minting and paying out under kills; restores directory and cell to a random moment of that
 * time; prepares them with after-restore; comes up; and compares service, chain and bank.
 */
export async function runRestoreDrill(options: {
  seed: number
  seconds: number
  report: (line: string) => void
}): Promise<DrillResult> {
  const { seed, seconds, report } = options
  const random = seededRandom(seed)
  const begunAt = performance.now()
  const since = () => Math.round((performance.now() - begunAt) / 1_000)
  const world = await DrillWorld.create()
  try {
    const bank = new DrillBank()
    const load = new DrillLoad(world, bank, random)
    await world.service.start('api', 'operator-api', 'worker', 'indexer')
    await load.importStatement(bank.files[0] ?? '')
    await load.mintFirst()
    await world.backUp()
    report(`  prepared after ${since()} s`)
    const running = load.run()
    running.catch(() => undefined)
    await sleep(1_000 * seconds * (0.35 + 0.4 * random()))
    const at = Date.now()
    const [now] = await world.rows<{ to: string }>('select clock_timestamp()::text as "to"')
    const to = now?.to ?? ''
    report(`  the moment is ${to}, after ${since()} s`)
    await sleep(Math.max(0, 1_000 * seconds * 0.4))
    const revoked = await disableCredential(world)
    load.stop()
    await running
    const cursor = await eventReader(world).events.list({ limit: 10 })
    const { kills } = world.service
    await world.service.killAll()
    await world.directory.archive()
    await world.cell.archive()

    const startedAt = performance.now()
    await Promise.all([world.directory.crash(), world.cell.crash()])
    await Promise.all([world.directory.restoreTo(to), world.cell.restoreTo(to)])
    const restoredAt = performance.now()
    const lost = await findLost(world, load.acknowledged, at)
    const beforeAfterRestore = performance.now()
    const steps = await afterRestore(world, to, revoked)
    const openedAt = performance.now()
    for (const line of steps) report(`  ${line}`)

    await world.service.start('api', 'operator-api')
    const servingAt = performance.now()
    report(`  serving after ${since()} s`)
    await world.signIn()
    const problems = await checkReaders(world, cursor.last_sequence, revoked)
    problems.push(...lost, ...(await settleAfterRestore(world, { bank, load, at })))
    report(`  settled after ${since()} s`)
    const verdict = await judgeDrill(world, { bank, load })
    const before = load.acknowledged.filter((one) => one.at < at).length
    return {
      ...verdict,
      problems: [...problems, ...verdict.problems],
      seed,
      kills,
      before,
      later: load.acknowledged.length - before,
      restoreSeconds: (restoredAt - startedAt) / 1_000,
      afterRestoreSeconds: (openedAt - beforeAfterRestore) / 1_000,
      openSeconds: (servingAt - startedAt) / 1_000,
    }
  } finally {
    await world.end()
  }
}

async function disableCredential({ service, tenantId, credentials }: DrillWorld): Promise<string> {
  const clientId = credentials[1]?.clientId ?? ''
  const args = ['./src/maintain/maintain.ts', 'disable-credential', '--tenant', tenantId, '--client', clientId]
  const { ended, output } = startNode(args, service.settings)
  if ((await ended) !== 0) throw new Error(output.join('\n'))
  return clientId
}

async function afterRestore({ service, folder }: DrillWorld, to: string, revoked: string): Promise<string[]> {
  const file = join(folder, 'revoked')
  await writeFile(file, `${revoked}\n`)
  const options = ['--directory', '--cell', 'main', '--to', to, '--revoked', file]
  const { ended, output } = startNode(['./src/maintain/maintain.ts', 'after-restore', ...options], service.settings)
  if ((await ended) !== 0) throw new Error(output.join('\n'))
  return [...output]
}

function eventReader({ service, credentials }: DrillWorld, which = 0): InvestorToken {
  const { clientId = '', clientSecret = '' } = credentials[which] ?? {}
  return new InvestorToken({ clientId, clientSecret, baseUrl: service.apiUrl })
}

/**
 * Checks that a reader of events notices the restore, and that a credential disabled after the moment stays disabled.
 */
async function checkReaders(world: DrillWorld, cursor: number, revoked: string): Promise<string[]> {
  const problems: string[] = []
  try {
    for await (const event of eventReader(world).events.after(cursor))
      problems.push(`event ${event.sequence} came before the restore was reported`)
    problems.push('the reader of events did not notice the restore')
  } catch (error) {
    if (!(error instanceof EventsRestoredError)) throw error
  }
  const isRejected = await eventReader(world, 1)
    .events.list()
    .then(
      () => false,
      () => true,
    )
  if (!isRejected) problems.push(`credential ${revoked} works again`)
  return problems
}

/** Returns what was acknowledged before the moment and is missing. */
async function findLost(world: DrillWorld, acknowledged: readonly Acknowledged[], at: number): Promise<string[]> {
  const queries = {
    order: 'select id from cell.token_order where id = any($1::uuid[])',
    cancellation: `select id from cell.token_order where id = any($1::uuid[]) and status = 'CANCELLED'`,
    statement: 'select id from cell.bank_statement where id = any($1::uuid[])',
    payout: `select id from cell.payout where id = any($1::uuid[]) and status = 'downloaded'`,
  }
  const lost: string[] = []
  for (const [kind, query] of Object.entries(queries)) {
    const ids = acknowledged.filter((one) => one.kind === kind && one.at < at).map(({ id }) => id)
    const found = new Set((await world.rows<{ id: string }>(query, [ids])).map(({ id }) => id))
    lost.push(...ids.filter((id) => !found.has(id)).map((id) => `${kind} ${id} was acknowledged and is lost`))
  }
  return lost
}

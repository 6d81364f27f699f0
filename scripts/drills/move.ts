// Moves tenants between cells under load, see service/test/harness/clusters/move-drill.ts: `npm run drill -- move
// --moves 100`. A failover of the source interrupts one of the moves, see move-failover.ts.
import { numberOptions } from '../../bench/number-options.ts'
import { moveWhileMinting, runMoveDrill } from '../../service/test/harness/clusters/move-drill.ts'
import { MoveFailover } from '../../service/test/harness/clusters/move-failover.ts'
import { MoveWorld } from '../../service/test/harness/clusters/move-world.ts'
import { newSeed, seededRandom } from '../../service/test/harness/seeded-random.ts'

const {
  events,
  orders,
  moves: wanted,
  seed,
} = numberOptions({
  events: 200_000,
  orders: 200_000,
  moves: 100,
  seed: newSeed(),
})
const print = (line: string) => process.stdout.write(`${line}\n`)
print(`seed ${seed}`)

// Enough clients for this rate on a busy machine, where a write takes about 200 ms.
const load = { clients: 36, perSecond: 100, buyers: 100 }
const pauseMsMax = 2_000

const failedOver = await moveThroughFailover()
const world = await MoveWorld.create()
try {
  const api = await world.installation.startApiProcess()
  await world.installation.startWorkerProcess()
  const drill = await runMoveDrill(world, api, { events, orders, writes: 300, seed, report: print, ...load })
  const pauses = [...failedOver.pauses, ...drill.moves.map(({ pauseMs }) => pauseMs)]
  const minting = await moveWhileMinting(world, ['east', 'west', 'main'])
  pauses.push(...minting.pauses)
  const { minted, lost: unminted, doubled } = minting.mints
  print(`minted ${minted} orders of a tenant that moved, lost ${unminted}, doubled ${doubled}`)
  const problems = [failedOver, drill.tally, drill, minting.mints].flatMap((part) => part.problems)
  problems.push(...(await moveSmallTenants(pauses)))
  problems.push(...drill.writers.unavailable.map((message) => `503 for ${message}`))
  const pauseMs = Math.max(...pauses)
  if (pauseMs > pauseMsMax) problems.push(`writes waited for ${pauseMs} ms, more than ${pauseMsMax} ms`)
  for (const problem of problems) print(`PROBLEM ${problem}`)
  const lost = failedOver.lost + drill.tally.lost + unminted
  const duplicates = failedOver.duplicates + drill.tally.duplicates + doubled
  const writes = failedOver.writes + drill.writers.writes.length
  print(`moves ${pauses.length}, writes ${writes}, lost ${lost}, doubled ${duplicates}, pause max ${pauseMs} ms`)
  process.exitCode = problems.length + lost + duplicates > 0 ? 1 : 0
} finally {
  await world.end()
}

/** Moves a small tenant. The source fails over while rows are copied, and the command runs again. */
async function moveThroughFailover() {
  const moving = await MoveFailover.create(seededRandom(seed))
  try {
    const interrupted = await moving.moveAround('west', 'copied', () => moving.failOver())
    if (interrupted.code === 0) throw new Error('the failover did not interrupt the move')
    const { code, printed, output } = await moving.move('--to', 'west')
    if (code !== 0) throw new Error(output)
    const pauses = [Number(printed[0]?.['pause_ms'])]
    const tally = await moving.judge('west')
    const writes = moving.writers.writes.length
    print(`failover during a move: continued by running it again, writes waited ${pauses[0]} ms, ${writes} writes`)
    return { ...tally, pauses, writes }
  } finally {
    await moving.end()
  }
}

/** Moves tenants without much data at random between three cells. Returns the problems. */
async function moveSmallTenants(pauses: number[]): Promise<string[]> {
  const problems: string[] = []
  const random = seededRandom(seed)
  const cells = [...world.urls.keys()]
  const tenants: { id: string; cell: string }[] = []
  for (const cell of cells) tenants.push({ id: await world.installation.createTenant(`in ${cell}`, { cell }), cell })
  for (let count = 1; count <= wanted; count += 1) {
    const tenant = tenants[Math.floor(random() * tenants.length)]
    const to = cells.filter((cell) => cell !== tenant?.cell)[random() < 0.5 ? 0 : 1]
    if (!tenant || !to) throw new Error('a tenant and two other cells')
    const moved = await world.maintain(['move-tenant', '--tenant', tenant.id, '--to', to])
    const finished = await world.maintain(['finish-move', '--tenant', tenant.id])
    for (const { code, output } of [moved, finished]) if (code !== 0) problems.push(output)
    pauses.push(Number(moved.printed[0]?.['pause_ms']))
    tenant.cell = to
    print(`${count}: to ${to}, writes waited ${pauses.at(-1)} ms`)
    if (problems.length > 0) return problems
  }
  return problems
}

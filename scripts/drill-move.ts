// Tenants move between cells under load, see service/test/harness/move-drill.ts: `npm run drill:move -- --moves 100`
import { parseArgs } from 'node:util'
import { runMoveDrill } from '../service/test/harness/move-drill.ts'
import { MoveWorld } from '../service/test/harness/move-world.ts'
import { newSeed, seededRandom } from '../service/test/harness/seeded-random.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    moves: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const seed = Number(values.seed)
print(`seed ${seed}`)

const world = await MoveWorld.create()
try {
  const api = await world.installation.startApi()
  await world.installation.startWorker()
  const drill = await runMoveDrill(world, api, { events: Number(values.events), writes: 300, seed, report: print })
  const pauses = drill.moves.map(({ pauseMs }) => pauseMs)
  const problems = [...drill.tally.problems, ...(await moveSmallTenants(pauses))]
  const unavailable = drill.writers.seen.get('503 unavailable') ?? 0
  if (unavailable > 0) problems.push(`${unavailable} responses were 503`)
  for (const problem of problems) print(`PROBLEM ${problem}`)
  const { lost, duplicates } = drill.tally
  print(
    `moves ${pauses.length}, writes ${drill.writers.writes.length}, lost ${lost}, doubled ${duplicates}, ` +
      `pause max ${Math.max(...pauses)} ms`,
  )
  process.exitCode = problems.length + lost + duplicates > 0 ? 1 : 0
} finally {
  await world.end()
}

/** Tenants without much data move at random between three cells. Returns what went wrong. */
async function moveSmallTenants(pauses: number[]): Promise<string[]> {
  const problems: string[] = []
  const random = seededRandom(seed)
  const cells = [...world.urls.keys()]
  const tenants: { id: string; cell: string }[] = []
  for (const cell of cells) tenants.push({ id: await world.installation.createTenant(`in ${cell}`, { cell }), cell })
  const wanted = Number(values.moves)
  while (pauses.length < wanted) {
    const tenant = tenants[Math.floor(random() * tenants.length)]
    const to = cells.filter((cell) => cell !== tenant?.cell)[random() < 0.5 ? 0 : 1]
    if (!tenant || !to) throw new Error('a tenant and two other cells')
    const moved = await world.maintain(['move-tenant', '--tenant', tenant.id, '--to', to])
    const finished = await world.maintain(['finish-move', '--tenant', tenant.id])
    for (const { code, text } of [moved, finished]) if (code !== 0) problems.push(text)
    pauses.push(Number(moved.printed[0]?.['pause_ms']))
    tenant.cell = to
    print(`${pauses.length}: to ${to}, writes waited ${pauses.at(-1)} ms`)
    if (problems.length > 0) return problems
  }
  return problems
}

// Makes one tenant as noisy as its limits allow while another one works in the same cell and processes, see
// service/test/harness/load/noise-drill.ts: `npm run drill -- noise --rounds 3 --seconds 20`. Then a small tenant's
// work waits beside the work of a large, well-behaved one, see service/test/harness/load/large-tenant-run.ts; `--size
// 0.1` is a tenth of it.
import { parseArgs } from 'node:util'
import { runBesideLargeTenant } from '../../service/test/harness/load/large-tenant-run.ts'
import { noiseAttackers } from '../../service/test/harness/load/noise-attackers.ts'
import { noiseLine, runNoiseDrill } from '../../service/test/harness/load/noise-drill.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '20' },
    /** Share of the large tenant's usual work; 0 leaves it out. */
    size: { type: 'string', default: '1' },
    /** Runs only the attackers whose name contains this text. */
    only: { type: 'string', default: '' },
    /** Leaves out the attackers whose name contains one of these texts. */
    without: { type: 'string', multiple: true, default: [] },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const ratioMax = 3

const drill = await runNoiseDrill({
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  attackers: noiseAttackers.filter(
    ({ name }) => name.includes(values.only) && !values.without.some((text) => name.includes(text)),
  ),
  report: print,
})
const problems = [...drill.problems]
for (const [name, ratio] of [
  ['read', drill.readRatio],
  ['write', drill.writeRatio],
] as const)
  if (!(ratio <= ratioMax)) problems.push(`the p95 of a ${name} is ${ratio.toFixed(2)} times that of quiet seconds`)
const workRatioMax = await measureWork(Number(values.size))
if (workRatioMax !== undefined && !(workRatioMax <= ratioMax))
  problems.push(`work of a small tenant takes ${workRatioMax.toFixed(2)} times as long beside a large one`)
for (const problem of problems) print(`PROBLEM ${problem}`)
print(`${noiseLine(drill)}, work ratio max ${workRatioMax?.toFixed(2) ?? 'not measured'}`)
process.exitCode = drill.unavailable + problems.length > 0 ? 1 : 0

async function measureWork(size: number): Promise<number | undefined> {
  if (size === 0) return undefined
  const sizes = { orders: 20_000, entries: 100_000, deliveries: 50_000, holders: 50_000 }
  const scaled = Object.fromEntries(Object.entries(sizes).map(([name, count]) => [name, Math.ceil(count * size)]))
  const { ratios, quietMs, besideMs } = await runBesideLargeTenant(
    { ...(scaled as typeof sizes), exports: 10 },
    { quietRounds: 5, secondsMax: 900 },
    print,
  )
  for (const [kind, ratio] of Object.entries(ratios))
    print(
      `${kind}: ${Math.round(quietMs[kind as keyof typeof quietMs])} ms alone, ` +
        `${Math.round(besideMs[kind as keyof typeof besideMs])} ms beside the large tenant, ratio ${ratio.toFixed(2)}`,
    )
  return Math.max(...Object.values(ratios).filter((ratio) => !Number.isNaN(ratio)))
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, percentile } from '../../../../bench/percentile.ts'
import { StreamReader } from '../callers/stream-reader.ts'
import { individual } from '../data/bodies.ts'
import type { NoiseAttacker } from './noise-attackers.ts'
import { createNoiseWorld, type NoiseWorld } from './noise-world.ts'
import type { QuietRequest, QuietSample } from './quiet-requests.ts'

interface NoiseDrillSize {
  readonly rounds: number
  /** Duration of each half of a round. */
  readonly seconds: number
  readonly attackers: readonly NoiseAttacker[]
  readonly report?: (line: string) => void
}

export interface NoiseDrill {
  /** Requests of the quiet tenant that got 503 or no response while the other was noisy. */
  readonly unavailable: number
  /** Everything else that must not happen. */
  readonly problems: readonly string[]
  /** p95 of the quiet tenant while the other is noisy, divided by the p95 before; median of all rounds. */
  readonly readRatio: number
  readonly writeRatio: number
}

type Kind = QuietSample['kind']

/** Alternates quiet and noisy seconds, so that any other load on the machine slows both. */
export async function runNoiseDrill({
  rounds,
  seconds,
  attackers,
  report = () => {},
}: NoiseDrillSize): Promise<NoiseDrill> {
  const world = await createNoiseWorld()
  try {
    return await withMeasuring(world, (measure) => alternate(world, { rounds, seconds, attackers, report }, measure))
  } finally {
    await world.end()
  }
}

async function alternate(
  world: NoiseWorld,
  { rounds, seconds, attackers, report }: Required<NoiseDrillSize>,
  measure: Measure,
): Promise<NoiseDrill> {
  for (const { prepare } of attackers) await prepare?.(world)
  // Warms up: the first requests of each kind, including attackers' ones, compile the code.
  await attack(world, attackers, { seconds: Math.max(4, seconds / 2), problems: [], report: () => {}, measure })
  await sleep(settleMs)
  const problems: string[] = []
  const quiet: QuietSample[][] = []
  const noisy: QuietSample[][] = []
  for (let round = 1; round <= rounds; round += 1) {
    quiet.push(await measure(seconds))
    noisy.push(await attack(world, attackers, { seconds, problems, report, measure }))
    for (const kind of ['read', 'write'] as const)
      report(`round ${round}: ${kind} p95 ${line(quiet.at(-1), kind)} quiet, ${line(noisy.at(-1), kind)} noisy`)
    // Lets the attack fade, so that it does not slow the next quiet seconds.
    await sleep(settleMs)
  }
  problems.push(...unexpected(quiet.flat(), 'while it was quiet'))
  problems.push(
    ...unexpected(
      noisy.flat().filter(({ status }) => !isUnavailable(status)),
      'while it was noisy',
    ),
  )
  const ratioOf = (kind: Kind) => median(noisy.map((samples, index) => p95(samples, kind) / p95(quiet[index], kind)))
  return {
    unavailable: noisy.flat().filter(({ status }) => isUnavailable(status)).length,
    problems,
    readRatio: ratioOf('read'),
    writeRatio: ratioOf('write'),
  }
}

const settleMs = 2_000

/** Measures the quiet tenant while all attackers are active. */
async function attack(
  world: NoiseWorld,
  attackers: readonly NoiseAttacker[],
  {
    seconds,
    problems,
    report,
    measure,
  }: { seconds: number; problems: string[]; report: (line: string) => void; measure: Measure },
): Promise<QuietSample[]> {
  const running = attackers.map(({ name, start }) => ({ name, stop: start(world) }))
  try {
    // Waits until all available slots are taken.
    await sleep(Math.min(3_000, seconds * 250))
    const [samples] = await Promise.all([measure(seconds), requireRoom(world, problems)])
    return samples
  } finally {
    const stopped = running.map(async (attacker) => ({ name: attacker.name, statuses: await attacker.stop() }))
    for (const { name, statuses } of await Promise.all(stopped)) report(`${name}: ${JSON.stringify(statuses)}`)
  }
}

/** Requires that a stream of the quiet tenant opens, and that a colleague of the attackers gets an export. */
async function requireRoom({ operatorApi, quiet, noisy }: NoiseWorld, problems: string[]): Promise<void> {
  const stream = await StreamReader.open(operatorApi.baseUrl, { token: quiet.admin.who.token })
  stream.close()
  if (stream.status !== 200) problems.push(`a stream of the quiet tenant got ${stream.status}`)
  const { status } = await noisy.colleague.post('/exports', { kind: 'orders' })
  if (status !== 201) problems.push(`an export of a colleague got ${status}`)
}

/** Returns reads and writes of the quiet tenant through both APIs. */
function quietRequests({ api, operatorApi, quiet }: NoiseWorld): QuietRequest[] {
  const { tenant, admin, offeringId, accountId } = quiet
  const integrator = (path: string) => ({ url: `${api.baseUrl}/api${path}`, token: tenant.token })
  const operator = (path: string) => ({ url: `${operatorApi.baseUrl}/operator${path}`, token: admin.who.token })
  const decision = { kyc: 'PENDING', reason: 'x' }
  return [
    { kind: 'read', method: 'GET', ...integrator(`/offerings/${offeringId}`) },
    { kind: 'read', method: 'GET', ...operator('/offerings') },
    { kind: 'write', method: 'POST', ...integrator('/accounts'), hasKey: true, body: individual },
    { kind: 'write', method: 'POST', ...operator(`/accounts/${accountId}/decision`), body: decision },
  ]
}

type Measure = (seconds: number) => Promise<QuietSample[]>

/** Runs the work with a process that sends the requests of the quiet tenant. */
async function withMeasuring<Result>(world: NoiseWorld, work: (measure: Measure) => Promise<Result>): Promise<Result> {
  const child = fork(fileURLToPath(new URL('./quiet-requests.ts', import.meta.url)))
  const requests = quietRequests(world)
  try {
    return await work(async (seconds) => {
      child.send({ requests, seconds })
      const [samples] = await once(child, 'message')
      return samples as QuietSample[]
    })
  } finally {
    child.disconnect()
  }
}

function isUnavailable(status: number): boolean {
  return status === 503 || status === 0
}

function unexpected(samples: readonly QuietSample[], when: string): string[] {
  const failed = samples.filter(({ status }) => status !== 200 && status !== 201)
  return [...new Set(failed.map(({ kind, status }) => `a ${kind} of the quiet tenant got ${status} ${when}`))]
}

function p95(samples: readonly QuietSample[] | undefined, wanted: Kind): number {
  return percentile(
    (samples ?? []).filter(({ kind }) => kind === wanted).map(({ ms }) => ms),
    0.95,
  )
}

function line(samples: readonly QuietSample[] | undefined, kind: Kind): string {
  return `${p95(samples, kind).toFixed(0)} ms`
}

export function noiseLine({ unavailable, readRatio, writeRatio }: NoiseDrill): string {
  return `unavailable ${unavailable}, read p95 ratio ${readRatio.toFixed(2)}, write p95 ratio ${writeRatio.toFixed(2)}`
}

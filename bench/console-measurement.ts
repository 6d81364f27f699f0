import { loadavg } from 'node:os'
import { httpRequest, runHttpLoad } from './http-load.ts'
import { percentile } from './percentile.ts'

/** A request that an operator waits for. */
export interface Measurement {
  /** Requests of one kind are reported together. */
  readonly kind: 'list' | 'search' | 'work' | 'summary'
  readonly name: string
  /** A deep page of a list is compared with the first one of the same name. */
  readonly depth?: 'first' | 'deep'
  readonly path: string
  /** Makes the request a POST. */
  readonly body?: unknown
}

export interface Measured extends Measurement {
  readonly latencies: number[]
  /** The load average of the machine after each round. */
  readonly loads: number[]
}

export interface Load {
  readonly port: number
  /** Tokens of each client, used in turn because a user may send 600 requests a minute. */
  readonly tokensOf: readonly (readonly string[])[]
  readonly rounds: number
  readonly seconds: number
}

/** Runs every measurement once per round, so that other load on the machine affects all of them alike. */
export async function measureAll(
  measurements: readonly Measurement[],
  load: Load,
  onRound: (round: number) => void,
): Promise<Measured[]> {
  const measured = measurements.map((one): Measured => ({ ...one, latencies: [], loads: [] }))
  // The first run fills caches and prepares statements on every connection.
  for (const one of measured) await run(one, { ...load, seconds: Math.min(1, load.seconds) })
  for (let round = 1; round <= load.rounds; round += 1) {
    for (const one of measured) {
      one.latencies.push(...(await run(one, load)))
      one.loads.push(loadavg()[0] ?? 0)
    }
    onRound(round)
  }
  return measured
}

async function run({ name, path, body }: Measurement, { port, tokensOf, seconds }: Load): Promise<readonly number[]> {
  const requestsOf = tokensOf.map((tokens) =>
    tokens.map((token) => httpRequest(body === undefined ? 'GET' : 'POST', path, { token, body, prefix: '/operator' })),
  )
  try {
    return (await runHttpLoad({ port, seconds, requestsOf, expectedStatus: 200 })).latencies
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
  }
}

/** Returns the slowest 95th percentile of a kind. */
export function slowestOf(measured: readonly Measured[], kind: Measurement['kind']): number {
  const ofKind = measured.filter((one) => one.kind === kind)
  return Math.max(...ofKind.map(({ latencies }) => percentile(latencies, 0.95)))
}

/** Returns the largest ratio between the times of a deep page and the first page. */
export function deepRatio(measured: readonly Measured[]): number {
  const medianOf = ({ latencies }: Measured) => percentile(latencies, 0.5)
  return Math.max(
    ...measured
      .filter(({ depth }) => depth === 'deep')
      .flatMap((deep) =>
        measured
          .filter(({ name, depth }) => name === deep.name && depth === 'first')
          .map((first) => medianOf(deep) / medianOf(first)),
      ),
  )
}

import fc from 'fast-check'
import { operations } from '../../../src/operations.ts'
import { operatorOperations } from '../../../src/operator-operations.ts'
import type { Operation } from '../../../src/platform/api/declare/operation.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { RedisServer } from '../servers/redis-server.ts'
import { startIntegrators } from './fuzz-integrators.ts'
import { startOperators } from './fuzz-operators.ts'
import { fuzzRequests } from './fuzz-requests.ts'
import { type FuzzedApiResult, FuzzTarget, type FuzzWorld } from './fuzz-target.ts'

export interface FuzzRun {
  readonly apis: readonly FuzzedApiResult[]
  readonly seconds: number
}

const workersPerApi = 8
/** A round has its own database, so that neither its tables nor the time of a request grow with the length of a run. */
const requestsPerRound = 40_000

/** Sends half of the requests to each API, concurrently, and checks every response against the declared schemas. */
export async function fuzzRun({ requests, seed }: { requests: number; seed: number }): Promise<FuzzRun> {
  const apis = [resultOf('integrator', operations), resultOf('operator', operatorOperations)]
  let seconds = 0
  for (let first = 0; first < requests; first += requestsPerRound) {
    const ofRound = Math.min(requestsPerRound, requests - first)
    seconds += await fuzzRound(apis, { requests: ofRound, seed: seed + first })
  }
  return { apis, seconds }
}

function resultOf(name: FuzzWorld['name'], all: readonly Operation[]): FuzzedApiResult {
  const neverSucceeded = new Set(all.map(({ header }) => header.id))
  return { name, requests: 0, serverErrors: 0, invalidResponses: 0, statuses: new Map(), neverSucceeded, failures: [] }
}

/** Returns the seconds that the requests took. */
async function fuzzRound(apis: readonly FuzzedApiResult[], options: { requests: number; seed: number }) {
  const redis = await RedisServer.start()
  const installation = await TestInstallation.create({ REDIS_URL: redis.url })
  const roomy = {
    REQUESTS_IN_FLIGHT_MAX: '10000',
    REQUESTS_PER_CELL_MAX: '10000',
    UNIDENTIFIED_REQUESTS_MAX: '10000',
  }
  try {
    const worlds = [await startIntegrators(installation, roomy), await startOperators(installation, roomy)]
    const startedAt = performance.now()
    const half = Math.ceil(options.requests / 2)
    const shares = [half, options.requests - half]
    await Promise.all(
      apis.map((result, index) =>
        fuzzApi(result, worlds[index] as FuzzWorld, { requests: shares[index] ?? 0, seed: options.seed }),
      ),
    )
    return (performance.now() - startedAt) / 1000
  } finally {
    await installation.end()
    await redis.stop()
  }
}

async function fuzzApi(result: FuzzedApiResult, world: FuzzWorld, options: { requests: number; seed: number }) {
  const target = new FuzzTarget(world, result, workersPerApi)
  const all = fuzzRequests(world)
  const work = async (worker: number) => {
    const numRuns = Math.ceil((options.requests - worker) / workersPerApi)
    if (numRuns <= 0) return
    const seed = options.seed + worker
    const property = fc.asyncProperty(all, (request) => target.sendAndCheck(request))
    const outcome = await fc.check(property, { numRuns, seed })
    if (outcome.failed)
      result.failures.push(
        `${world.name} API, seed ${seed}, path ${outcome.counterexamplePath}: ${String(outcome.errorInstance)}`,
      )
  }
  await Promise.all(Array.from({ length: workersPerApi }, (_, worker) => work(worker)))
  target.end()
}

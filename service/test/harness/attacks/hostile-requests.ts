import { readFileSync } from 'node:fs'
import type { Attack } from './attack.ts'
import { type AttackStack, send } from './attack-stack.ts'

/** Highest cost of a request without a token. Each of these once cost more than a hundred ordinary requests. */
const cpuMsMax = 10
const sends = 5

const json = { 'content-type': 'application/json' }
const auth = (body: string) => ({ path: '/api/auth', method: 'POST', headers: json, body })
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join()}}`

const hostile = {
  'a content type with 15,000 spaces': {
    ...auth('{}'),
    headers: { 'content-type': `application/json; charset=utf-8${' '.repeat(15_000)}x` },
  },
  'JSON nested 32,000 deep': auth(nested(32_000)),
  'JSON with 5,000 members': auth(members(5_000)),
  'a number with 60,000 digits': auth(`{"client_id":${'9'.repeat(60_000)}}`),
  'a path of 8,000 segments': { path: '/api'.concat('/a'.repeat(7_900)) },
  'a query of 2,000 parameters': { path: `/api/events?${'limit=1&'.repeat(1_900)}` },
  'a bearer token of 15,000 characters': {
    path: '/api/events',
    headers: { authorization: `Bearer ${'a.'.repeat(7_500)}` },
  },
}

export const hostileRequests: Attack = {
  name: 'requests without a token that are expensive to reject',
  isShort: true,
  run: async (stack) => {
    const costs: [name: string, ms: number][] = []
    for (const [name, sent] of Object.entries(hostile)) costs.push([name, await cpuMsOf(stack, sent)])
    const [name, ms] = costs.toSorted(([, one], [, other]) => other - one)[0] ?? ['', 0]
    return { isDefended: ms <= cpuMsMax, observed: `${name} costs ${ms.toFixed(1)} ms of CPU` }
  },
}

/** Returns the median CPU time of the API for one request; time used by others does not count. */
async function cpuMsOf(
  stack: AttackStack,
  { path, ...sent }: { path: string; method?: string; headers?: Record<string, string>; body?: string },
): Promise<number> {
  const { baseUrl, process } = await stack.api()
  const times: number[] = []
  // The first one does not count: it compiles code.
  for (let count = 0; count <= sends; count += 1) {
    const before = mainThreadMs(process.pid)
    await send(baseUrl + path, sent)
    if (count > 0) times.push(mainThreadMs(process.pid) - before)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(sends / 2)] ?? 0
}

function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HostileRequest, hostileRequests } from './harness/fuzz/hostile-requests.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

// Limits in milliseconds of CPU time. A busy machine makes the same work cost more, so the cost of the cheapest
// rejection counts there, too; on a quiet one that is half a millisecond.
const costMax = 2
const cheapestMax = 4

describe('hostile requests', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApiProcess()

  /** Sends the bytes, and returns the status of the response. */
  async function send(bytes: Buffer): Promise<number> {
    const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1')
    socket.on('error', () => {})
    let status = 0
    socket.on('data', (part: Buffer) => {
      status ||= Number(part.toString('latin1', 9, 12))
    })
    socket.write(bytes)
    await once(socket, 'close')
    return status
  }

  test('a request without credentials costs at most 2 ms of CPU time and is never a server error', async () => {
    const requests = hostileRequests()
    // Compiles the code of the requests, and renders the API reference.
    for (let round = 0; round < 3; round += 1)
      await Promise.all(requests.map(async ({ name, bytes }) => assertRejected(name, await send(bytes))))
    idleShare = await cpuShareWhenIdle()
    const cheapest = requests.find(({ name }) => name === 'no token') ?? assert.fail()
    let expensive = requests
    const costs: Record<string, string> = {}
    // Measures a request again if it seems expensive.
    for (let attempt = 0; attempt < 4 && expensive.length > 0; attempt += 1) {
      const again: HostileRequest[] = []
      const limit = Math.max(costMax, cheapestMax * (await medianCost(cheapest)))
      for (const request of expensive) {
        const cost = await medianCost(request)
        costs[request.name] = `${cost.toFixed(2)} ms`
        if (cost > limit) again.push(request)
      }
      expensive = again
    }
    assert.deepEqual(
      expensive.map(({ name }) => `${name}: ${costs[name]}`),
      [],
    )
  })

  /** CPU share of an idle process: timers run there, too, and a failed sign-in waits 100 ms. */
  let idleShare = 0
  async function cpuShareWhenIdle(): Promise<number> {
    const [earlier, startedAt] = [cpuMilliseconds(api.process.pid), performance.now()]
    await sleep(2_000)
    return (cpuMilliseconds(api.process.pid) - earlier) / (performance.now() - startedAt)
  }

  /** Returns the CPU time of the API process in milliseconds, over all threads, beyond that of an idle one. */
  async function medianCost({ bytes }: HostileRequest): Promise<number> {
    const costs: number[] = []
    for (let count = 0; count < 5; count += 1) {
      const [earlier, startedAt] = [cpuMilliseconds(api.process.pid), performance.now()]
      await send(bytes)
      const idle = (performance.now() - startedAt) * idleShare
      costs.push(cpuMilliseconds(api.process.pid) - earlier - idle)
    }
    return costs.toSorted((a, b) => a - b)[2] ?? 0
  }
})

function assertRejected(name: string, status: number): void {
  assert.ok(status < 500, `${name}: ${status}`)
}

/** Returns the CPU time of all threads so far. */
function cpuMilliseconds(pid: number): number {
  const files = globSync(`/proc/${pid}/task/*/schedstat`)
  return files.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0) / 1e6
}

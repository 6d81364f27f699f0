import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Fault } from './harness/test-proxy.ts'
import { createSdkWorld, person } from './harness/world.ts'

// 1,000 orders take most of a minute.
const orders = process.env['TEST_LONG'] === 'true' ? 1_000 : 150
const script = fileURLToPath(new URL('harness/order-client.ts', import.meta.url))

describe('an unreliable network and a client process that is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-faults-'))
  const journal = join(folder, 'journal')
  const world = await createSdkWorld()
  after(async () => {
    await world.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const entries = () =>
    existsSync(journal)
      ? readFileSync(journal, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as { number: number; orderId?: string })
      : []
  const doneCount = () => entries().filter(({ orderId }) => orderId !== undefined).length

  test(`${orders} orders are each placed exactly once`, async () => {
    const { id: accountId } = await world.client().accounts.create(person)
    const proxy = await world.proxy({ fault: faultOf })
    const start = (): ChildProcess =>
      spawn(process.execPath, [script], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          BASE_URL: proxy.url,
          CLIENT_ID: world.credential.clientId,
          CLIENT_SECRET: world.credential.clientSecret,
          OFFERING_ID: world.offeringId,
          ACCOUNT_ID: accountId,
          JOURNAL: journal,
          ORDERS: String(orders),
          CALLERS: '50',
        },
      })

    for (const killAt of [0.15, 0.45, 0.75]) {
      const client = start()
      while (doneCount() < orders * killAt && client.exitCode === null) await sleep(20)
      client.kill('SIGKILL')
      if (client.exitCode === null && client.signalCode === null) await once(client, 'exit')
      assert.equal(client.signalCode, 'SIGKILL', 'the client was still placing orders')
    }
    const client = start()
    const [code] = await once(client, 'exit')
    assert.equal(code, 0)

    const rows = await world.installation.owner(async (owner) => {
      const text = 'select id, units::text as units from cell.token_order where tenant_id = $1 order by units::numeric'
      return (await owner.query<{ id: string; units: string }>(text, [world.tenantId])).rows
    })
    assert.deepEqual(
      rows.map(({ units }) => Number(units)),
      Array.from({ length: orders }, (_, number) => number + 1),
    )
    for (const { number, orderId } of entries().filter((entry) => entry.orderId !== undefined))
      assert.equal(rows[number]?.id, orderId, `order ${number} has the id that the client received`)
    const statuses = JSON.stringify(proxy.statuses())
    const attempts = proxy.seen.length
    process.stderr.write(`${orders} orders in ${attempts} requests; statuses: ${statuses} (undefined: dropped)\n`)
    assert.ok(attempts > orders * 1.4, 'the proxy injected faults')
  })
})

/** Drops every third connection before, after or within the response, and rejects some of the other requests. */
function faultOf(_: unknown, index: number): Fault | undefined {
  if (index % 3 === 2) return (['drop before', 'drop after', 'drop within'] as const)[Math.floor(index / 3) % 3]
  const chance = Math.random()
  if (chance < 0.03) return rejection(409, 'idempotency_in_progress')
  if (chance < 0.06) return rejection(503, 'unavailable')
  if (chance < 0.065) return rejection(429, 'rate_limited')
  return undefined
}

function rejection(status: number, code: string): Fault {
  const body = { error: { type: 'test_error', code, message: 'Injected by the test.' } }
  return { status, body, headers: { 'retry-after': '1' } }
}

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pingWebhookEndpoint } from '../src/webhooks/operator/ping-webhook-endpoint.ts'
import { resendWebhookDelivery } from '../src/webhooks/operator/resend-webhook-delivery.ts'
import { WebhookWorld } from './harness/data/webhook-world.ts'
import { freePort, type RunningProcess, startNode } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { until } from './harness/wait.ts'

const service = fileURLToPath(new URL('../', import.meta.url))

describe('docs/guides/webhooks.md', async () => {
  let receiver: RunningProcess | undefined

  const installation = await TestInstallation.create()
  // Inside the workspace, so that it resolves the package like an integrator's program.
  const folder = await mkdtemp(join(service, '.guide-'))
  after(async () => {
    await receiver?.kill()
    await installation.end()
    await rm(folder, { recursive: true })
  })

  test('its receiver handles each message once and rejects a forged one', async () => {
    const guide = await readFile(join(service, '../docs/guides/webhooks.md'), 'utf8')
    const [, snippet = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? []
    const file = join(folder, 'receiver.ts')
    await writeFile(file, snippet)
    const port = await freePort()
    const world = await WebhookWorld.create(installation)
    const url = `http://localhost:${port}/`
    const endpoint = await world.endpoint(url)
    receiver = startNode([file], { PORT: String(port), WEBHOOK_SECRET: endpoint.secret })
    await until('it listens', async () => (await fetch(url).catch(() => undefined))?.status === 401)
    await installation.startWorker()

    const params = { endpointId: endpoint.id }
    const { event_id: pinged } = await world.run(pingWebhookEndpoint, params)
    const recorded = await world.recordEvent('order.paid')
    const isDelivered = (times: number) => async () => {
      const rows = await world.deliveries(endpoint)
      return rows.length === 2 && rows.every((row) => row.state === 'DELIVERED' && row.attempt_count >= times)
    }
    await until('both are delivered', isDelivered(1))
    for (const eventId of [pinged, recorded]) await world.run(resendWebhookDelivery, { ...params, eventId })
    await until('both are delivered again', isDelivered(2))
    const forged = await fetch(url, {
      method: 'POST',
      headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
      body: '{}',
    })
    assert.equal(forged.status, 401)
    assert.deepEqual(receiver.output.toSorted(), [`order.paid ${recorded}`, `webhook.ping ${pinged}`].toSorted())
  })
})

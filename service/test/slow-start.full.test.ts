import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TestInstallation } from './harness/installation/test-installation.ts'

describe('a slow start', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())

  test('a process serves requests before its first measurement of the event loop delay', async () => {
    const credential = await installation.issueCredential(await installation.createTenant('A'))
    const preload = fileURLToPath(new URL('./harness/faults/without-delay-measurement.ts', import.meta.url))
    const api = await installation.startApiProcess({}, [preload])
    // The first measurement is due one second after the start.
    await sleep(1_500)
    assert.equal((await api.auth(credential)).status, 200)
  })
})

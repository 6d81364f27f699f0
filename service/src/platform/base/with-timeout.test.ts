import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { withTimeout } from './with-timeout.ts'

describe('withTimeout', () => {
  test('rejects if there is no reply in time', async () => {
    await assert.rejects(withTimeout(new Promise(() => {}), 10), /timed out after 10 ms/)
  })

  test('a reply that arrived while the process was busy is not late', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
      const [peer] = (await once(server, 'connection')) as [Socket]
      const reply = once(client, 'data').then(String)
      const result = withTimeout(reply, 20)
      peer.end('reply')
      const busyUntil = performance.now() + 100
      while (performance.now() < busyUntil);
      assert.equal(await result, 'reply')
    } finally {
      server.close()
    }
  })
})

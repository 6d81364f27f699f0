import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'

/** Finds the challenge, which is somewhere in the message of a verification, and which the receiver must return. */
const challengeOf = (body: string) => /"challenge"\s*:\s*"([^"]+)"/.exec(body)?.[1]

export const unverifiedWebhookEndpoint: Attack = {
  name: "messages to a stranger's host that never asked for them",
  run: async (stack) => {
    await stack.worker()
    const tenant = await stack.tenant()
    const admin = await stack.admin(tenant)
    const [stranger, receiver] = [await listen(false), await listen(true)]
    try {
      for (const { url } of [stranger, receiver]) {
        const created = await admin.post('/webhook-endpoints', { url })
        if (created.status !== 201) throw new Error(`an endpoint cannot be created: ${created.text}`)
      }
      // Repeats it, because an endpoint gets events only after its verification.
      await until(
        'the receiver that wants messages gets one',
        async () => {
          await tenant.account()
          await sleep(500)
          return receiver.events() > 0
        },
        30_000,
      )
      await sleep(1_000)
      const observed = `the stranger got ${stranger.events()} events, the receiver ${receiver.events()}`
      return { isDefended: stranger.events() === 0, observed }
    } finally {
      stranger.close()
      receiver.close()
    }
  },
}

async function listen(isEchoing: boolean) {
  let events = 0
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const challenge = challengeOf(body)
    if (challenge === undefined) events += 1
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(isEchoing && challenge ? JSON.stringify({ challenge }) : '{}')
  }
  const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    events: () => events,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

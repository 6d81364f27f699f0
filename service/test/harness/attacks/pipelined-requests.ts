import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { attackerAddress, Bystander } from './attack-bystander.ts'
import { send } from './attack-stack.ts'

const connections = 2
const requests = 300

/** The responses are large, so they fill the buffers of the connection and stay in the memory of the server. */
export const pipelinedRequests: Attack = {
  name: `${connections} connections with ${requests} requests each whose responses are never read`,
  isShort: true,
  run: async (stack) => {
    const bystander = await Bystander.of(stack)
    const sockets: Socket[] = []
    for (const { baseUrl } of [await stack.api(), await stack.operatorApi()]) {
      const path = await scriptOf(baseUrl)
      const { hostname, port } = new URL(baseUrl)
      for (let count = 0; count < connections; count += 1) {
        const socket = connect({ host: hostname, port: Number(port), localAddress: attackerAddress })
        socket.on('error', () => {})
        socket.pause()
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(requests))
        sockets.push(socket)
      }
    }
    try {
      await sleep(500)
      return await bystander.callDuringAttack()
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  },
}

/** The largest public file: the script of the API reference. */
async function scriptOf(baseUrl: string): Promise<string> {
  const { text } = await send(`${baseUrl}/docs`)
  const path = /src="(\/docs\/[^"]+\.js)"/.exec(text)?.[1] ?? '/docs/scalar.js'
  await send(baseUrl + path)
  return path
}

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { attackerAddress, Bystander } from './attack-bystander.ts'

const connections = 500

export const slowBodies: Attack = {
  name: `${connections} requests whose bodies never arrive`,
  isShort: true,
  run: async (stack) => {
    const bystander = await Bystander.of(stack)
    const { hostname, port } = new URL((await stack.api()).baseUrl)
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: attackerAddress })
      socket.on('error', () => {})
      socket.write(
        'POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      )
      return socket
    })
    try {
      await sleep(500)
      return await bystander.callDuringAttack()
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  },
}

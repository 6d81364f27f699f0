import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { camt053 } from '../money/camt053.ts'
import type { Attack } from './attack.ts'
import { attackerAddress } from './attack-bystander.ts'
import { send } from './attack-stack.ts'

const uploads = 4

export const tricklingUploads: Attack = {
  name: `${uploads} uploads of one tenant that arrive a byte at a time`,
  isShort: true,
  run: async (stack) => {
    const { baseUrl } = await stack.operatorApi()
    const [attacker, other] = [await stack.tenant(), await stack.tenant()]
    const [{ who: attackingAdmin }, { who: admin }] = [await stack.admin(attacker), await stack.admin(other)]
    await other.fixtures.offering(other.id)
    const { hostname, port } = new URL(baseUrl)
    const sockets = Array.from({ length: uploads }, () => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: attackerAddress })
      socket.on('error', () => {})
      socket.write(
        `POST /operator/statements HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${attackingAdmin.token}\r\n` +
          'Content-Type: application/xml\r\nContent-Length: 1000000\r\n\r\n<',
      )
      return socket
    })
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ')
    }, 200)
    try {
      await sleep(1_000)
      const { status, ms } = await send(`${baseUrl}/operator/statements`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/xml' },
        body: camt053({ entries: [{ amount: '1.00' }] }),
      })
      const observed = `the upload of another tenant got ${status} after ${Math.round(ms)} ms`
      return { isDefended: status === 201, observed }
    } finally {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    }
  },
}

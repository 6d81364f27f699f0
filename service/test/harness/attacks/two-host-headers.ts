import { once } from 'node:events'
import { connect } from 'node:net'
import type { Attack } from './attack.ts'

/** A proxy may route by one of the two, and the service build links from the other. */
export const twoHostHeaders: Attack = {
  name: 'a request with two Host headers',
  isShort: true,
  run: async (stack) => {
    const { hostname, port } = new URL((await stack.api()).baseUrl)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write('GET /livez HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n')
    const [data] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    const status = data.toString().split(' ')[1] ?? 'no status'
    return { isDefended: status === '400', observed: `the response is ${status}` }
  },
}

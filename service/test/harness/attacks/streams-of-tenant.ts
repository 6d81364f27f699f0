import { StreamReader } from '../callers/stream-reader.ts'
import type { Attack } from './attack.ts'

const users = 40
const perUser = 5

/** Opens as many streams as one process of the operator API can have. */
export const streamsOfTenant: Attack = {
  name: `${users} users of one tenant open ${perUser} streams each`,
  isShort: true,
  run: async (stack) => {
    const { baseUrl } = await stack.operatorApi()
    const [attacker, other] = [await stack.tenant(), await stack.tenant()]
    const { who } = await stack.admin(other)
    const streams: StreamReader[] = []
    try {
      for (let user = 0; user < users; user += 1) {
        const { token } = await stack.installation.createOperator(attacker.id, { role: 'viewer' })
        const opened = Array.from({ length: perUser }, () => StreamReader.open(baseUrl, { token }))
        streams.push(...(await Promise.all(opened)))
      }
      const own = await StreamReader.open(baseUrl, { token: who.token })
      streams.push(own)
      const open = streams.filter(({ status }) => status === 200).length - 1
      return { isDefended: own.status === 200, observed: `${open} are open; that of another tenant got ${own.status}` }
    } finally {
      for (const stream of streams) stream.close()
    }
  },
}

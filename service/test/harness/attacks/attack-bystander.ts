import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttackResult } from './attack.ts'
import { type AttackStack, send } from './attack-stack.ts'

/** The attacker and the others call from different addresses of this machine. */
export const attackerAddress = '127.0.0.2'

/** Opens connections of the attacker, each of which sends these bytes. */
export function openConnections(
  baseUrl: string,
  count: number,
  bytes: string,
  options: { allowHalfOpen?: boolean } = {},
): Socket[] {
  const { hostname, port } = new URL(baseUrl)
  return Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: attackerAddress, ...options })
    socket.on('error', () => {})
    socket.write(bytes)
    return socket
  })
}

/** The beginning of a request whose body never arrives. */
export const unfinishedBody =
  'POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'

const probeMs = 3_000
const responseMsMax = 5_000

type Call = () => Promise<{ status: number; ms: number }>

/** An integrator and an operator who do nothing wrong while another client attacks. */
export class Bystander {
  readonly #calls: readonly Call[]

  private constructor(calls: readonly Call[]) {
    this.#calls = calls
  }

  static async of(stack: AttackStack): Promise<Bystander> {
    const [api, operatorApi] = await Promise.all([stack.api(), stack.operatorApi()])
    const tenantId = await stack.installation.createTenant('Bystander')
    const token = await api.token(await stack.installation.issueCredential(tenantId, { requestsPerMinute: 600 }))
    const operator = await stack.installation.createOperator(tenantId)
    const calls = [
      () => send(`${api.baseUrl}/api/events`, { headers: { authorization: `Bearer ${token}` } }),
      () => send(`${operatorApi.baseUrl}/operator/orders`, { headers: { authorization: `Bearer ${operator.token}` } }),
    ]
    return new Bystander(calls)
  }

  /** Calls both APIs while these connections are open, then closes them. */
  async callWhileOpen(sockets: readonly Socket[]): Promise<AttackResult> {
    try {
      await sleep(500)
      return await this.callDuringAttack()
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  }

  /** Calls both APIs for some seconds. Every call must succeed. */
  async callDuringAttack(): Promise<AttackResult> {
    const endsAt = performance.now() + probeMs
    const failures: string[] = []
    let [count, slowest] = [0, 0]
    while (performance.now() < endsAt)
      for (const call of this.#calls) {
        const { status, ms } = await call().catch((error: Error) => ({ status: 0, ms: 0, error }))
        count += 1
        slowest = Math.max(slowest, ms)
        if (status !== 200) failures.push(status === 0 ? 'no response' : String(status))
        await sleep(50)
      }
    if (failures.length > 0)
      return { isDefended: false, observed: `${failures.length} of ${count} requests of others failed: ${failures[0]}` }
    const observed = `others were served in ${Math.round(slowest)} ms at most`
    return { isDefended: slowest < responseMsMax, observed }
  }
}

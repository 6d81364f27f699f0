import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { hexToBigInt, numberToHex } from 'viem'

interface RpcRequest {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** Changes the result of a call. */
type Lie = (request: RpcRequest, result: unknown) => unknown

/** The error that a node returns instead of a result. */
type Refusal = (request: RpcRequest, result: unknown) => { code: number; message: string } | undefined

/** A node of a real chain (anvil) that a test makes lie, fall behind or disappear. */
export class UntrustedNode {
  readonly url: string
  readonly methods: string[] = []
  isAway = false
  /** Number of blocks that it is behind. */
  blocksBehind = 0n
  lie: Lie = (_, result) => result
  refuse: Refusal = () => undefined
  readonly #server: Server
  readonly #target: string

  private constructor(server: Server, target: string) {
    this.#server = server
    this.#target = target
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(target: string): Promise<UntrustedNode> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const node = new UntrustedNode(server, target)
    server.on('request', (request, response) => void node.#respond(request, response))
    return node
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as RpcRequest & { id: unknown }
    this.methods.push(body.method)
    if (this.isAway) return void request.socket.destroy()
    const { result, ...rest } = await this.#forward(await this.#moveBack(body))
    const error = this.refuse(body, result)
    const changed = result === undefined ? {} : error ? { error } : { result: this.lie(body, result) }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...rest, ...changed }))
  }

  /** Answers with older blocks as head and finalized block, as a node that is behind does. */
  async #moveBack<Body extends RpcRequest>(body: Body): Promise<Body> {
    const [position, ...others] = body.params ?? []
    if (this.blocksBehind === 0n || body.method !== 'eth_getBlockByNumber' || String(position).startsWith('0x'))
      return body
    const { result } = await this.#forward(body)
    const number = hexToBigInt((result as { number: `0x${string}` }).number) - this.blocksBehind
    return { ...body, params: [numberToHex(number), ...others] }
  }

  async #forward(body: unknown): Promise<{ result?: unknown }> {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    return (await (await fetch(this.#target, init)).json()) as { result?: unknown }
  }
}

/** Refuses to return more than this many logs, as nodes of providers do. */
export function logsAtMost(
  logs: number,
  error = { code: -32_005, message: `query returned more than ${logs}` },
): Refusal {
  return ({ method }, result) => (method === 'eth_getLogs' && lengthOf(result) > logs ? error : undefined)
}

export function lengthOf(result: unknown): number {
  return Array.isArray(result) ? result.length : 0
}

/** Gives blocks another hash than on the chain. */
export const otherBlocks: Lie = ({ method }, result) =>
  method === 'eth_getBlockByNumber' && result ? { ...result, hash: otherHash } : result

export const otherHash = `0x${'ab'.repeat(32)}`

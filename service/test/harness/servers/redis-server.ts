import { type ChildProcess, spawn } from 'node:child_process'
import { createClient } from '@redis/client'
import { endChild, freePort } from '../installation/process.ts'
import { until } from '../wait.ts'

/** A Redis for one test, which may kill and freeze it. */
export class RedisServer {
  readonly url: string
  readonly #port: number
  #process: ChildProcess

  private constructor(port: number) {
    this.#port = port
    this.url = `redis://127.0.0.1:${port}`
    this.#process = launch(port)
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort())
    await server.#isReady()
    return server
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  kill(): Promise<void> {
    return endChild(this.#process, 'SIGKILL')
  }

  async restart(): Promise<void> {
    this.#process = launch(this.#port)
    await this.#isReady()
  }

  freeze(): void {
    this.#process.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process.kill('SIGCONT')
  }

  stop(): Promise<void> {
    return this.kill()
  }

  /** Sets the ages of a credential's accepted requests, oldest first. */
  async age(clientId: string, seconds: number[]): Promise<void> {
    await this.#withClient(async (client) => {
      const key = `investor-token:development:credential:${clientId}`
      const nowUs = Date.now() * 1000
      await client.del(key)
      await client.zAdd(
        key,
        seconds.map((age, index) => {
          const score = nowUs - age * 1_000_000 + index
          return { score, value: String(score) }
        }),
      )
    })
  }

  count(clientId: string): Promise<number> {
    return this.countIn(`credential:${clientId}`)
  }

  async countIn(bucket: string): Promise<number> {
    return this.#withClient((client) => client.zCard(`investor-token:development:${bucket}`))
  }

  /** Pretends that all callers of a tenant together have sent this many requests. */
  async setCounter(ceiling: string, count: number): Promise<void> {
    await this.#withClient((client) => client.set(`investor-token:development:${ceiling}`, count, { PX: 60_000 }))
  }

  /** Makes the server a replica, as after a failover. */
  async readOnly(isReplica: boolean): Promise<void> {
    await this.#withClient((client) =>
      isReplica ? client.sendCommand(['REPLICAOF', '127.0.0.1', '1']) : client.sendCommand(['REPLICAOF', 'NO', 'ONE']),
    )
  }

  async forget(clientId: string): Promise<void> {
    await this.#withClient((client) => client.del(`investor-token:development:credential:${clientId}`))
  }

  /** Pretends that this many requests were just accepted. */
  async fill(bucket: string, count: number): Promise<void> {
    await this.#withClient((client) => {
      const nowUs = Date.now() * 1000
      const members = Array.from({ length: count }, (_, index) => ({
        score: nowUs - index,
        value: String(nowUs - index),
      }))
      return client.zAdd(`investor-token:development:${bucket}`, members)
    })
  }

  async #isReady(): Promise<void> {
    await until('Redis responds', () =>
      this.#withClient((client) => client.ping()).then(
        () => true,
        () => false,
      ),
    )
  }

  async #withClient<Result>(work: (client: ReturnType<typeof createClient>) => Promise<Result>): Promise<Result> {
    const client = createClient({ url: this.url, socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client as never)
    } finally {
      client.destroy()
    }
  }
}

function launch(port: number): ChildProcess {
  const settings = `--port ${port} --bind 127.0.0.1 --appendonly no --daemonize no`
  return spawn('redis-server', [...settings.split(' '), '--save', ''], { stdio: 'ignore' })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiResponse, type Call, callApi } from '../../../service/test/harness/installation/api-client.ts'
import {
  freePort,
  type Main,
  type RunningProcess,
  startProcess,
} from '../../../service/test/harness/installation/process.ts'

/** The processes of an installation, which the drill kills and restarts on the same ports. */
export class DrillService {
  readonly settings: Record<string, string>
  readonly #ports: { api: number; operator: number }
  readonly #running = new Map<Main, RunningProcess>()
  kills = 0

  private constructor(settings: Record<string, string>, ports: { api: number; operator: number }) {
    this.settings = settings
    this.#ports = ports
  }

  static async create(settings: Record<string, string>): Promise<DrillService> {
    return new DrillService(settings, { api: await freePort(), operator: await freePort() })
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.#ports.api}`
  }

  async start(...mains: Main[]): Promise<void> {
    await Promise.all(
      mains.map(async (main) => {
        const process = startProcess(main, {
          ...this.settings,
          PORT: String(this.#ports.api),
          OPERATOR_PORT: String(this.#ports.operator),
          INDEXER_PORT: '0',
          METRICS_PORT: String(await freePort()),
        })
        this.#running.set(main, process)
        await process.logged(main === 'worker' ? 'working on the queue' : 'listening')
      }),
    )
  }

  /** Kills a process while it works, and starts it again. */
  async restart(main: Main): Promise<void> {
    await this.#running.get(main)?.kill()
    this.kills += 1
    await this.start(main)
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map((process) => process.kill()))
    this.#running.clear()
  }

  api(method: string, path: string, call: Call): Promise<ApiResponse> {
    return this.#call(this.#ports.api, method, path, { prefix: '/api', ...call })
  }

  operator(method: string, path: string, call: Call): Promise<ApiResponse> {
    return this.#call(this.#ports.operator, method, path, { prefix: '/operator', ...call })
  }

  /** Repeats a request that got no response, or 503, with the same key, until the service is back. */
  async #call(port: number, method: string, path: string, call: Call): Promise<ApiResponse> {
    const key = { 'x-idempotency-key': crypto.randomUUID() }
    // Downloads and uploads need no key.
    const isKeyed = method !== 'GET' && !path.endsWith('/download') && path !== '/statements'
    const keyed = isKeyed ? { ...call, headers: { ...key, ...call.headers } } : call
    for (let attempt = 1; ; attempt += 1) {
      const response = await callApi(`http://127.0.0.1:${port}`, method, path, keyed).catch(() => undefined)
      if (response && response.status < 500) return response
      if (attempt === attemptsMax) throw new Error(`${method} ${path}: ${response?.text ?? 'no response'}`)
      await sleep(200)
    }
  }
}

const attemptsMax = 150

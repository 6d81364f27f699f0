import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endChild, freePort, isServing } from '../../../service/test/harness/installation/process.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { missingProgram } from '../missing-program.ts'

/** Reason why the drill cannot run here; false if it can. */
export const upgradeIsImpossible = missingProgram('haproxy')

/** HAProxy in front of several APIs. It sends requests to those that are ready according to /readyz. */
export class LoadBalancer {
  readonly url: string
  readonly #process: ChildProcess
  readonly #folder: string

  private constructor(process: ChildProcess, url: string, folder: string) {
    this.#process = process
    this.url = url
    this.#folder = folder
  }

  static async start(ports: readonly number[], waitMs = 60_000): Promise<LoadBalancer> {
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-balancer-'))
    const port = await freePort()
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, configuration(port, ports))
    const child = spawn('haproxy', ['-q', '-db', '-f', file], { stdio: 'ignore' })
    const balancer = new LoadBalancer(child, `http://127.0.0.1:${port}`, folder)
    await until('the load balancer serves', () => isServing(`${balancer.url}/readyz`), waitMs).catch(
      async (error: Error) => {
        await balancer.stop()
        throw error
      },
    )
    return balancer
  }

  async stop(): Promise<void> {
    await endChild(this.#process)
    await rm(this.#folder, { recursive: true })
  }
}

/** Interval at which it checks each API. */
export const checkMs = 200

// A refused connection is retried at another API, which is safe because nothing was sent. Nothing else is retried. A
// slow response to a check means nothing: the machine may be busy.
const configuration = (port: number, ports: readonly number[]) => `
defaults
  mode http
  timeout connect 5s
  timeout check 10s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 3
frontend callers
  bind 127.0.0.1:${port}
  default_backend apis
backend apis
  option httpchk GET /readyz
  default-server check inter ${checkMs}ms fall 1 rise 1
${ports.map((one, index) => `  server api${index} 127.0.0.1:${one}`).join('\n')}
`

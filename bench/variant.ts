import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { VariantCommand, VariantReply } from './ab-variant.ts'
import type { CpuTime } from './cpu-time.ts'

/** A process with one installation of a checkout, and the load for it. */
export class Variant {
  readonly #process: ChildProcess

  constructor() {
    const file = fileURLToPath(new URL('./ab-variant.ts', import.meta.url))
    this.#process = fork(file, { serialization: 'advanced' })
  }

  /** Sends a command and waits for its reply. */
  async send(command: VariantCommand): Promise<{ cpu?: CpuTime }> {
    const { promise, resolve } = Promise.withResolvers<VariantReply>()
    const ended = () => resolve({ problem: 'the variant ended before it replied' })
    this.#process.once('message', (reply) => resolve(reply as VariantReply))
    this.#process.once('exit', ended)
    this.#process.send(command)
    const reply = await promise
    this.#process.off('exit', ended)
    if ('problem' in reply) throw new Error(reply.problem)
    return reply
  }

  /** Returns the microseconds of each process for one of the requests. */
  async batch(requests: number): Promise<CpuTime> {
    const { cpu } = await this.send({ kind: 'batch', requests })
    if (!cpu) throw new Error('a batch has no result')
    return cpu
  }

  end(): void {
    this.#process.kill('SIGTERM')
  }
}

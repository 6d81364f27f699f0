import { type DestinationStream, pino } from 'pino'

/**
 * Standard output for the log of a server: one write for 8 KiB of lines instead of one for each, which cost a tenth of
 * a short request. Lines are written after a second at the latest, at once from the level error on, and when the
 * process exits, also because of an error. Only a process that is killed loses those of its last second.
 */
export class BufferedOutput implements DestinationStream {
  lastLevel = 0
  // Not synchronous: a reader that is stuck must not stop the process. Pino writes what is left when the process exits.
  readonly #output = pino.destination({ fd: 1, sync: false, minLength: bufferBytes })
  #isStarted = false

  constructor() {
    // Makes pino set lastLevel before each write.
    Object.assign(this, { [Symbol.for('pino.metadata')]: true })
    setInterval(() => this.#output.flush(), flushMs).unref()
  }

  /** Until then each line is written at once: a signal would end the process before it handles signals. */
  start(): void {
    this.#isStarted = true
  }

  write(line: string): void {
    this.#output.write(line)
    if (!this.#isStarted || this.lastLevel >= errorLevel) this.#output.flush()
  }
}

const bufferBytes = 8 * 1024
const flushMs = 1_000
const errorLevel = pino.levels.values['error'] ?? 0

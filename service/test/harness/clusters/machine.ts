import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { unprivileged } from '../../../src/dev/local-postgres.ts'

const run = promisify(execFile)
const namespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Reason why no machine can be simulated here; false if one can. */
export const machinesAreImpossible: string | false = findObstacle()

function findObstacle(): string | false {
  try {
    if (!unprivileged) return 'only root can create network namespaces'
    execFileSync('unshare', [...namespaces, 'ip', 'link', 'add', 'probe', 'type', 'bridge'], { stdio: 'pipe' })
    return false
  } catch (error) {
    return `network namespaces cannot be created: ${(error as Error).message}`
  }
}

/**
 * A simulated machine: processes with a separate network and separate process ids, but the files of the real machine.
 * It ends with the process that started it, however that ends, and leaves nothing behind.
 */
export class Machine {
  /** The first process of the machine, seen from outside. */
  readonly pid: number
  readonly #holder: ChildProcess

  private constructor(holder: ChildProcess, pid: number) {
    this.#holder = holder
    this.pid = pid
  }

  static async start(): Promise<Machine> {
    // A shell reaps orphans: Patroni would think that a killed server is alive if it were never reaped.
    const first = ['sh', '-c', 'echo started; sleep infinity; exit']
    const holder = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...namespaces, ...first], {
      // Some versions of unshare complain when their child is killed.
      stdio: ['ignore', 'pipe', 'ignore'],
      // On Ctrl-C the machine ends with this process, not before it.
      detached: true,
    })
    await once(holder.stdout, 'readable')
    if (holder.stdout.read() === null) throw new Error('no machine could be started')
    const children = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8')
    const machine = new Machine(holder, Number(children.trim()))
    await machine.ip('link', 'set', 'lo', 'up')
    return machine
  }

  /** Runs `ip` in the machine's network. */
  async ip(...args: readonly string[]): Promise<void> {
    await run('nsenter', ['--target', String(this.pid), '--net', 'ip', ...args])
  }

  /** Starts a program without privileges that writes its log to the file. */
  start(command: readonly string[], log: string, environment: Readonly<Record<string, string>>): void {
    const user = ['setpriv', '--reuid', String(unprivileged?.uid), '--regid', String(unprivileged?.gid)]
    const inside = ['--target', String(this.pid), '--net', '--pid', '--mount', ...user, '--clear-groups']
    // Starts it as a child of the machine's first process. A child of nsenter, which stops with its child and does not
    // continue with it, would never be reaped.
    const detached = ['setsid', '--fork', ...command]
    const file = openSync(log, 'a')
    spawn('nsenter', [...inside, ...detached], { cwd: '/', env: environment, stdio: ['ignore', file, file] })
    closeSync(file)
  }

  /** Sends a signal to all programs of the machine, or to those of this name. */
  signal(name: NodeJS.Signals, program?: string): void {
    for (const pid of this.#pids(program))
      try {
        process.kill(pid, name)
      } catch {
        // The process has ended meanwhile.
      }
  }

  /** Ends all processes of the machine. */
  async remove(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return
    const ended = once(this.#holder, 'exit')
    process.kill(this.pid, 'SIGKILL')
    await ended
  }

  /** Leaves out the processes that keep the machine running, which run as root. */
  #pids(program?: string): number[] {
    const network = readlinkSync(`/proc/${this.pid}/ns/net`)
    const user = new RegExp(`^Uid:\\s+${unprivileged?.uid}\\s`, 'm')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          if (readlinkSync(`/proc/${pid}/ns/net`) !== network) return false
          const status = readFileSync(`/proc/${pid}/status`, 'utf8')
          return user.test(status) && (program === undefined || status.startsWith(`Name:\t${program}\n`))
        } catch {
          return false
        }
      })
      .map(Number)
  }
}

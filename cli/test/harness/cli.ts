import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { until } from '../../../service/test/harness/wait.ts'
import { onHost } from '../../src/base/host.ts'
import { runCommand } from '../../src/run-command.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Shell variables of a command, and what it reads. */
interface Input {
  [variable: string]: string
  stdin?: string
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * Runs the CLI as a user would, in a shell and in its own temporary folder. `run` and `json` run it inside the test,
 * which takes a tenth of the time; the others start a separate process.
 */
export class TestCli {
  readonly folder: string
  readonly #variables: Record<string, string>
  readonly #secrets: readonly string[]
  readonly #children: ChildProcess[] = []

  private constructor(folder: string, variables: Record<string, string>, secrets: readonly string[]) {
    this.folder = folder
    this.#variables = variables
    this.#secrets = secrets
  }

  static async create(variables: Record<string, string>, secrets: readonly string[]): Promise<TestCli> {
    return new TestCli(await mkdtemp(join(tmpdir(), 'investor-token-cli-')), variables, secrets)
  }

  get configFile(): string {
    return join(this.folder, 'config/config.json')
  }

  /**
   * Runs a command such as `orders list --account "$ACCOUNT" < file` to its end. A shell expands it. Fails if the output
   * contains a secret.
   */
  async run(line: string, { stdin = '', ...variables }: Input = {}): Promise<Ended> {
    const expanded = this.shell(`words() { printf '%s\\0' $# "$@"; cat; }; words ${line}`, variables)
    expanded.child.stdin?.end(stdin)
    const { code: problem, stdout: words, stderr } = await expanded.withSecrets
    assert.equal(problem, 0, stderr)
    const [count, ...rest] = words.split('\0')
    const args = rest.slice(0, Number(count))
    const output = { stdout: new Collected(), stderr: new Collected() }
    const given = Readable.from([Buffer.from(rest.slice(Number(count)).join('\0'))])
    const its = { variables: this.#environment(variables), folder: this.folder, stdin: given, ...output }
    const code = await onHost(its, () => runCommand(args))
    return withoutSecrets({ code, stdout: output.stdout.text, stderr: output.stderr.text }, this.#secrets)
  }

  /** Like `run`, but in a separate process, for tests of the process itself. */
  async runProcess(line: string, { stdin = '', ...variables }: Input = {}): Promise<Ended> {
    const running = this.start(line, variables)
    running.child.stdin?.end(stdin)
    return running.ended
  }

  /** Runs a command with --json, which must succeed, and parses its output. */
  async json<Data = unknown>(line: string, variables: Record<string, string> = {}): Promise<Data> {
    const { code, stdout, stderr } = await this.run(`${line} --json`, variables)
    assert.equal(code, 0, `${line}: ${stderr}`)
    return JSON.parse(stdout) as Data
  }

  start(line: string, variables: Record<string, string> = {}): RunningCli {
    return this.shell(`exec investor-token ${line}`, variables)
  }

  shell(script: string, variables: Record<string, string> = {}): RunningCli {
    const child = spawn('bash', ['-c', script], { cwd: this.folder, env: this.#environment(variables) })
    this.#children.push(child)
    return new RunningCli(child, this.#secrets)
  }

  #environment(variables: Record<string, string>): Record<string, string> {
    return {
      PATH: `${root}node_modules/.bin:${process.env['PATH']}`,
      HOME: this.folder,
      TERM: 'xterm-256color',
      // Compiling the sources takes a third of a second per process without the cache.
      NODE_COMPILE_CACHE: join(tmpdir(), 'investor-token-cli-compiled'),
      INVESTOR_TOKEN_CONFIG: this.configFile,
      ...this.#variables,
      ...variables,
    }
  }

  async end(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    await rm(this.folder, { recursive: true, force: true })
  }
}

export class RunningCli {
  readonly child: ChildProcess
  readonly #secrets: readonly string[]
  /** Like the CLI itself, for other programs: the output may contain secrets. */
  readonly withSecrets: Promise<Ended>
  stdout = ''
  stderr = ''

  constructor(child: ChildProcess, secrets: readonly string[]) {
    this.child = child
    // A command that does not read stdin may close it before the test writes to it.
    child.stdin?.on('error', () => {})
    child.stdout?.on('data', (text: Buffer) => {
      this.stdout += text.toString()
    })
    child.stderr?.on('data', (text: Buffer) => {
      this.stderr += text.toString()
    })
    this.#secrets = secrets
    this.withSecrets = once(child, 'close').then(([code]) => ({ code, stdout: this.stdout, stderr: this.stderr }))
  }

  /** Fails if the output contains a secret. */
  get ended(): Promise<Ended> {
    return this.withSecrets.then((ended) => withoutSecrets(ended, this.#secrets))
  }

  async waitForOutput(text: string, withinMs = 30_000): Promise<void> {
    const isPrinted = () => (this.stdout + this.stderr).includes(text)
    await until(`the output contains "${text}"`, isPrinted, withinMs).catch((error: Error) => {
      throw new Error(`${error.message}; the output was:\n${this.stdout}${this.stderr}`)
    })
  }

  interrupt(): Promise<Ended> {
    this.child.kill('SIGINT')
    return this.ended
  }
}

/** Collects the output. It is neither a terminal nor a pipe. */
class Collected extends Writable {
  readonly #parts: Buffer[] = []

  get text(): string {
    return Buffer.concat(this.#parts).toString()
  }

  override _write(part: Buffer, _encoding: string, written: () => void): void {
    this.#parts.push(part)
    written()
  }
}

function withoutSecrets(ended: Ended, secrets: readonly string[]): Ended {
  for (const secret of secrets)
    assert.ok(!(ended.stdout + ended.stderr).includes(secret), 'the output contains a secret')
  return ended
}

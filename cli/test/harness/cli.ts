import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../../../service/test/harness/wait.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the CLI as a user would: as a separate process in a shell, in its own temporary folder. */
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

  /** Runs a command such as `orders list --account "$ACCOUNT"` to its end. Fails if the output contains a secret. */
  async run(
    line: string,
    { stdin = '', ...variables }: { stdin?: string; [name: string]: string } = {},
  ): Promise<Ended> {
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
    const child = spawn('bash', ['-c', script], {
      cwd: this.folder,
      env: {
        PATH: `${root}node_modules/.bin:${process.env['PATH']}`,
        HOME: this.folder,
        TERM: 'xterm-256color',
        // Compiling the sources takes a third of a second per process without the cache.
        NODE_COMPILE_CACHE: join(tmpdir(), 'investor-token-cli-compiled'),
        INVESTOR_TOKEN_CONFIG: this.configFile,
        ...this.#variables,
        ...variables,
      },
    })
    this.#children.push(child)
    return new RunningCli(child, this.#secrets)
  }

  async end(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    await rm(this.folder, { recursive: true, force: true })
  }
}

export class RunningCli {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
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
    this.ended = once(child, 'close').then(([code]) => {
      const { stdout, stderr } = this
      for (const secret of secrets) assert.ok(!(stdout + stderr).includes(secret), 'the output contains a secret')
      return { code: code as number | null, stdout, stderr }
    })
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

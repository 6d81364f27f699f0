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

/** The command line as somebody uses it: a process of its own, in a shell, in a folder of its own. */
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

  /** `orders list --account "$ACCOUNT"`, until it ends. Whatever it is about, it must not say a secret. */
  async run(
    line: string,
    { stdin = '', ...variables }: { stdin?: string; [name: string]: string } = {},
  ): Promise<Ended> {
    const running = this.start(line, variables)
    running.child.stdin?.end(stdin)
    return running.ended
  }

  /** It must succeed. */
  async json<Answer = unknown>(line: string, variables: Record<string, string> = {}): Promise<Answer> {
    const { code, stdout, stderr } = await this.run(`${line} --json`, variables)
    assert.equal(code, 0, `${line}: ${stderr}`)
    return JSON.parse(stdout) as Answer
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
        // From source it takes a third of a second to compile; once is enough.
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
    // A command that reads nothing closes it; whether it should have is what the test asks.
    child.stdin?.on('error', () => {})
    child.stdout?.on('data', (text: Buffer) => {
      this.stdout += text.toString()
    })
    child.stderr?.on('data', (text: Buffer) => {
      this.stderr += text.toString()
    })
    this.ended = once(child, 'close').then(([code]) => {
      const { stdout, stderr } = this
      for (const secret of secrets) assert.ok(!(stdout + stderr).includes(secret), 'a secret was shown')
      return { code: code as number | null, stdout, stderr }
    })
  }

  async says(text: string, withinMs = 30_000): Promise<void> {
    const isSaid = () => (this.stdout + this.stderr).includes(text)
    await until(`it says "${text}"`, isSaid, withinMs).catch((error: Error) => {
      throw new Error(`${error.message}, and not only:\n${this.stdout}${this.stderr}`)
    })
  }

  interrupt(): Promise<Ended> {
    this.child.kill('SIGINT')
    return this.ended
  }
}

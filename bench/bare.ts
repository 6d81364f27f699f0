import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RecordedStatement } from '../service/test/harness/load/recorded-statements.ts'
import type { BenchInstallation } from './installation.ts'

/** A script for pgbench: the API's statements, without the API. */
export interface BareScript {
  readonly text: string
  /** Values that are the same in each transaction, sent as parameters. */
  readonly constants: ReadonlyMap<string, string>
}

/** Maps a recorded value, as text, to its replacement. */
export type Replacements = Readonly<Record<string, string>>

/**
 * Returns the statements as a script. `variables` are pgbench lines that compute what differs between transactions.
 * Several branches give each connection its own, as each HTTP connection calls for its own tenant. Pipelined,
 * everything after the first statement is sent together; the first is sent alone because pgbench prepares at that
 * point.
 */
export function bareScript(
  branches: readonly { statements: readonly RecordedStatement[]; replacements: Replacements }[],
  { variables, isPipelined }: { variables: readonly string[]; isPipelined: boolean },
): BareScript {
  const constants = new Map<string, string>()
  const constantOf = (value: string): string => {
    const name = constants.get(value) ?? `constant_${constants.size}`
    constants.set(value, name)
    return `:${name}`
  }
  const lines = branches.flatMap(({ statements, replacements }, branch) => {
    const [first = '', ...rest] = statements.map(
      ({ text, values }) =>
        `${text.trim().replaceAll(/\$(\d+)/g, (_, number: string) => {
          const value = textOf(values[Number(number) - 1])
          if (value === undefined) return 'null'
          // pgbench has no empty variables.
          return replacements[value] ?? (value === '' ? "''" : constantOf(value))
        })};`,
    )
    const body = isPipelined ? [first, '\\startpipeline', ...rest, '\\endpipeline'] : [first, ...rest]
    return branches.length === 1 ? body : [`\\${branch === 0 ? '' : 'el'}if :client_id = ${branch}`, ...body]
  })
  if (branches.length > 1) lines.push('\\endif')
  return {
    text: `${[...variables, ...lines].join('\n')}\n`,
    constants: new Map([...constants].map(([value, name]) => [name, value])),
  }
}

/** Formats a value like the driver. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(item)).join()}}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`
}

export interface BareResult {
  readonly transactionsPerSecond: number
  readonly transactions: number
  /** Milliseconds of every tenth transaction. */
  readonly latencies: readonly number[]
}

/** Runs pgbench with prepared statements, under the role and with the settings of the API's own connections. */
export async function runBare(
  { binaries, folder, installation }: BenchInstallation,
  { text, constants }: BareScript,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<BareResult> {
  const own = await mkdtemp(join(folder, 'pgbench-'))
  await writeFile(join(own, 'script'), text)
  const defines = [...constants].map(([name, value]) => `--define=${name}=${value}`)
  const log = ['--log', `--log-prefix=${join(own, 'log')}`, '--sampling-rate=0.1']
  const length = [`--client=${connections}`, '--jobs=1', `--time=${seconds}`]
  const script = ['--protocol=prepared', '--no-vacuum', `--file=${join(own, 'script')}`]
  const flags = [...script, ...length, ...log, ...defines, installation.config.databaseUrl]
  const { stdout } = await promisify(execFile)(join(binaries, 'pgbench'), flags, {
    env: { PATH: process.env['PATH'] ?? '', PGOPTIONS: installation.databases.directory.options.options ?? '' },
    timeout: (seconds + 30) * 1000,
  }).catch((error: { stderr?: string }) => {
    throw new Error(`pgbench failed: ${error.stderr?.slice(0, 1_000)}`)
  })
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1]
  if (failed !== '0') throw new Error(`pgbench failed:\n${stdout}`)
  const latencies = await readLatencies(own)
  await rm(own, { recursive: true })
  const transactions = Number(/number of transactions actually processed: (\d+)/.exec(stdout)?.[1])
  return { transactionsPerSecond: Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]), transactions, latencies }
}

async function readLatencies(folder: string): Promise<number[]> {
  const logs = (await readdir(folder)).filter((file) => file.startsWith('log'))
  const texts = await Promise.all(logs.map((file) => readFile(join(folder, file), 'utf8')))
  // Each line is: client, transaction, microseconds, …
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Number(line.split(' ')[2]) / 1000),
  )
}

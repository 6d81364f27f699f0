// `npm run check`: all checks that read the code without running it. `npm run check -- types format` runs some of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

// Longest first. Most use one core, so as many run at once as there are cores.
const commands: Readonly<Record<string, string>> = {
  lint: 'oxlint --config .config/oxlint.json --type-aware --deny-warnings --report-unused-disable-directives',
  spelling: 'cspell lint --config .config/cspell.json --no-progress --quiet',
  types: 'tsc -p . && tsc -p sdk',
  'console-types': 'tsc -p console',
  unused: 'knip --config .config/knip.json',
  structure: 'node --test service/test/tidy.test.ts',
  format: 'biome check --config-path .config --error-on-warnings .',
  openapi: 'redocly lint --config .config/redocly.yaml',
}
const quietRedocly = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs a check. Prints its output once it has ended, so that two outputs do not mix. */
async function run(name: string): Promise<boolean> {
  const startedAt = performance.now()
  const env = { ...process.env, ...quietRedocly }
  const child = spawn(commands[name] ?? '', { shell: true, stdio: ['ignore', 'pipe', 'pipe'], env })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data))
  const [code] = await once(child, 'close')
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)\n`)
  if (code !== 0) process.stdout.write(Buffer.concat(output))
  return code === 0
}

const { positionals: names } = parseArgs({ allowPositionals: true })
const unknown = names.find((name) => !(name in commands))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(commands).join(', ')}.`)
const waiting = names.length > 0 ? [...names] : Object.keys(commands)
const results: boolean[] = []
const work = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await run(next))
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
if (results.includes(false)) process.exitCode = 1

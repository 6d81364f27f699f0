import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

// `npm run check`: each script whose name begins with `check:`. Most use one core, so as many run at once as there are
// cores, in the order of package.json, which has the longest first.

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>
}
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'))

/** Prints what the check printed once it has ended, so that the output of two does not mix. */
async function run(check: string): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', check], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data))
  const [code] = await once(child, 'close')
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  process.stdout.write(`${code === 0 ? '✔' : '✖'} ${check} (${seconds} s)\n`)
  if (code !== 0) process.stdout.write(Buffer.concat(output))
  return code === 0
}

const waiting = [...checks]
const results: boolean[] = []
const work = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await run(next))
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
if (results.includes(false)) process.exitCode = 1

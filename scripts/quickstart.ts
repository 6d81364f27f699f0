// Follows docs/guides/quickstart.md in a fresh clone and prints how long it took.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const secondsMax = 300

const repository = fileURLToPath(new URL('../', import.meta.url))
const page = readFileSync(join(repository, 'docs/guides/quickstart.md'), 'utf8')
const [, start = ''] = /```sh terminal\n(.*?)```/s.exec(page) ?? []
const [, program = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
const [, run = ''] = /```sh\n(.*?)```/s.exec(page) ?? []
if (!start || !program || !run) throw new Error('docs/guides/quickstart.md does not have its three code blocks')

const folder = mkdtempSync(join(tmpdir(), 'quickstart-'))
// PostgreSQL refuses to run as root, and its user must be able to enter the folder.
chmodSync(folder, 0o755)
const began = performance.now()
const seconds = () => ((performance.now() - began) / 1_000).toFixed(1)
// The terminal that stays open. It has a separate process group, so that all of it can be ended.
const terminal = spawn('bash', ['-euc', start.replace('<this repository>', repository)], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
const ended = once(terminal, 'exit')
try {
  await ready()
  say(`the stack is up after ${seconds()} s`)
  const clone = join(folder, 'investor-token')
  writeFileSync(join(clone, 'first-token.ts'), program)
  execFileSync('bash', ['-euc', run], { cwd: clone, stdio: ['ignore', 'inherit', 'inherit'] })
  const took = seconds()
  say(`quickstart: a minted token ${took} s after git clone`)
  if (Number(took) > secondsMax) throw new Error(`it must not take more than ${secondsMax} s`)
} finally {
  if (terminal.pid !== undefined && terminal.exitCode === null) process.kill(-terminal.pid, 'SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

async function ready(): Promise<void> {
  const isReady = Promise.withResolvers<void>()
  let output = ''
  terminal.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes('Press Ctrl-C to stop')) isReady.resolve()
  })
  void ended.then(() => isReady.reject(new Error(`the terminal ended too early:\n${output.slice(-2_000)}`)))
  await isReady.promise
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const program = `
  import { spawn } from 'node:child_process'
  import { onInterruption } from ${JSON.stringify(new URL('interruption.ts', import.meta.url).href)}
  onInterruption((signal) => console.log('stopped by ' + signal))
  spawn('sh', ['-c', 'sleep 1000 & echo $!; wait'], { stdio: ['ignore', 'inherit', 'inherit'] })
`

test('an interrupted run reports, ends all descendant processes, and ends by the signal', {
  timeout: 30_000,
  skip: existsSync('/proc/self/stat') ? false : 'no /proc',
}, async () => {
  const run = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  run.stdout.on('data', (data: Buffer) => {
    output += data
    // The process id of the process that its child has started.
    if (/^\d+\n$/.test(output)) run.kill('SIGTERM')
  })
  const [code, signal] = await once(run, 'close')
  const [pid, ...lines] = output.trim().split('\n')
  assert.deepEqual([code, signal, lines], [null, 'SIGTERM', ['stopped by SIGTERM']])
  assert.ok(hasEnded(Number(pid)), `process ${pid} is still there`)
})

function hasEnded(pid: number): boolean {
  const stat = `/proc/${pid}/stat`
  // Otherwise it has ended and no one has read its exit code.
  return !existsSync(stat) || / Z /.test(readFileSync(stat, 'utf8'))
}

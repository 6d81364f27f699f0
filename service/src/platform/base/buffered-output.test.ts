import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { startNode } from '../../../test/harness/installation/process.ts'

const logger = new URL('./log.ts', import.meta.url).href
const output = new URL('./buffered-output.ts', import.meta.url).href

/** Starts a process that buffers its log and then runs the given statements. */
const script = (statements: string) => `
  import { createLogger } from '${logger}'
  import { BufferedOutput } from '${output}'
  const output = new BufferedOutput()
  const log = createLogger('info', 'test', output)
  process.on('SIGTERM', () => { log.info('stopped'); process.exit(0) })
  output.start(log)
  setInterval(() => {}, 1_000)
  ${statements}`

const start = (statements: string) => startNode(['--input-type=module', '--eval', script(statements)], {})

const messagesOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line).msg)

const limit = { timeout: 60_000 }

describe('a buffered log loses no line', () => {
  test('when the process exits', async () => {
    const running = start(`log.info('first'); log.info('last'); process.exit(0)`)
    await running.ended
    assert.deepEqual(messagesOf(running.output), ['first', 'last'])
  })

  test('when the process crashes', async () => {
    const running = start(`log.info('first'); setImmediate(() => { log.warn('last'); throw new Error('crash') })`)
    assert.equal(await running.ended, 1)
    assert.deepEqual(messagesOf(running.output), ['first', 'last'])
  })

  test('when the process receives SIGTERM', async () => {
    const running = start(`log.info('first'); process.kill(process.pid, 'SIGTERM')`)
    assert.equal(await running.ended, 0)
    assert.deepEqual(messagesOf(running.output), ['first', 'stopped'])
  })

  test('when more lines follow than it buffers', async () => {
    const running = start(`for (let at = 0; at < 10_000; at += 1) log.info(String(at)); process.exit(0)`)
    await running.ended
    assert.deepEqual(
      messagesOf(running.output),
      Array.from({ length: 10_000 }, (_, at) => String(at)),
    )
  })
})

describe('a buffered log is written', () => {
  // Killed after 100 ms, well before the lines would be written anyway after a second.
  test('at once if it is an error, with the lines before it', async () => {
    const running = start(
      `log.info('first'); log.error('last'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)`,
    )
    await running.ended
    assert.deepEqual(messagesOf(running.output), ['first', 'last'])
  })

  test('at once if it is an error that occurs while others are written', async () => {
    const running = start(
      `log.error('first'); log.error('last'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)`,
    )
    await running.ended
    assert.deepEqual(messagesOf(running.output), ['first', 'last'])
  })

  test('after a second', async () => {
    const running = start(`log.info('first')`)
    try {
      await running.logged('first', 10_000)
    } finally {
      await running.kill()
    }
  })

  test('in one piece until then', async () => {
    const running = start(`log.info('first'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)`)
    await running.ended
    assert.deepEqual(messagesOf(running.output), [])
  })
})

describe('a process whose log has no reader', () => {
  test('continues, and ends on SIGTERM', limit, async () => {
    const child = startWithout('reader', `setInterval(() => log.error('more'), 10)`)
    setTimeout(() => child.kill('SIGTERM'), 1_500)
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('ends although it has lines to write', limit, async () => {
    const child = startWithout('reader', `setTimeout(() => { log.info('last'); process.exit(3) }, 500)`)
    assert.deepEqual(await once(child, 'exit'), [3, null])
  })

  test('ends although the reader is stuck', limit, async () => {
    // Node makes the socket non-blocking on the first access to process.stdout. A blocking write has no timeout.
    const child = startWithout(
      'reading',
      `void process.stdout; for (let at = 0; at < 10_000; at += 1) log.info(String(at)); process.exit(3)`,
    )
    assert.deepEqual(await once(child, 'exit'), [3, null])
  })
})

test(
  'a process whose log is not read keeps 16 MiB of it, and counts the lost lines once it is read',
  limit,
  async () => {
    const child = startWithout('reading', `for (let at = 0; at < 3_000; at += 1) log.info('x'.repeat(10_000))`)
    try {
      let kept = 0
      for await (const line of createInterface(child.stdout)) {
        const { count } = JSON.parse(line)
        if (count === undefined) kept += 1
        else {
          assert.ok(kept > 1_500 && kept < 1_700, `${kept} lines of 10 kB`)
          assert.equal(kept + count, 3_000)
          return
        }
      }
      assert.fail('the log has ended')
    } finally {
      child.kill('SIGKILL')
    }
  },
)

function startWithout(missing: 'reader' | 'reading', statements: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script(statements)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (missing === 'reader') child.stdout.destroy()
  else child.stdout.pause()
  return child
}

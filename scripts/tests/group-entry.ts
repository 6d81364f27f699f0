import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { beginGroup, endGroup } from '../../service/test/harness/installation/end-of-process.ts'
import { logOfTest } from '../../service/test/harness/installation/log-lines.ts'
import { CpuTime } from './cpu-time.ts'
import {
  beginningOf,
  costPrefix,
  exitLine,
  type FileOfGroup,
  fileSecondsMax,
  latePrefix,
  leftoverTest,
  logPrefix,
} from './group-protocol.ts'
import { LateErrors } from './late-errors.ts'
import { Leftovers } from './leftovers.ts'

// Runs the files of a group in this process, each in a separate suite, so that the hooks at the top of a file apply to
// that file alone.

const files = JSON.parse(process.env['TEST_GROUP'] ?? '[]') as FileOfGroup[]
delete process.env['TEST_GROUP']
const logLinesMax = 20
const endSecondsMax = 30

process.on('exit', (code) => void process.stderr.write(exitLine(code)))
beginGroup()
const startedAt = new WeakMap<object, number>()
beforeEach((context) => void startedAt.set(context, logOfTest.count))
afterEach((context) => {
  if ('passed' in context && !context.passed && 'diagnostic' in context)
    for (const line of logOfTest.since(startedAt.get(context) ?? 0).slice(-logLinesMax))
      context.diagnostic(`${logPrefix}${line}`)
})

const cpu = new CpuTime()
const lateErrors = new LateErrors()
const leftovers = new Leftovers()
for (const { name, url } of files) {
  for (const stream of [process.stdout, process.stderr]) stream.write(beginningOf(name))
  void lateErrors.caughtOf(name, () =>
    describe(name, { timeout: fileSecondsMax * 1_000 }, async () => void (await import(url))),
  )
  // Awaited, because Node loads all declared files before it runs the first.
  await test(leftoverTest(name), async (context) => {
    context.diagnostic(`${costPrefix}${cpu.secondsOfNext()}`)
    const left = await leftovers.left()
    const late = lateErrors.take()
    for (const error of late.filter(({ file }) => file !== name)) context.diagnostic(latePrefix + JSON.stringify(error))
    left.push(...late.filter(({ file }) => file === name).map(({ text }) => `an error that no test awaits: ${text}`))
    if (left.length > 0) throw withoutStack(`${name} leaves behind: ${left.join('; ')}`)
  })
  // The next file may end the process, so the results of this one are printed before.
  await setImmediate()
}

// Not a hook: Node runs hooks after the first file.
await endGroup()
// Something that a file left keeps the process alive, and was not found after that file.
setTimeout(() => {
  process.stderr.write(`The process does not end: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}, endSecondsMax * 1_000).unref()

/** Returns an error without a stack: the place in this file means nothing. */
function withoutStack(message: string): Error {
  const error = new Error(message)
  delete error.stack
  return error
}

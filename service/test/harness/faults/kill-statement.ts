// A test preloads this into a process: it exits after a number of statements that contain one of the texts in KILL_ON,
// as if it were killed in the middle of its work. With KILL_FROM, statements before the first with that text do not
// count.
import pg from 'pg'

let left = Number(process.env['KILL_AFTER'])
const marks = (process.env['KILL_ON'] ?? '').split('|')
const from = process.env['KILL_FROM'] ?? ''
const delayMs = Number(process.env['KILL_DELAY_MS'] ?? 0)
let hasBegun = false

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function counted(this: unknown, first: unknown, ...rest: unknown[]) {
  const text = String((first as { text?: unknown } | null)?.text ?? first)
  hasBegun ||= text.includes(from)
  if (hasBegun && marks.some((mark) => text.includes(mark))) {
    left -= 1
    // Sends the statement, so that the database may or may not execute it.
    if (left < 0) {
      const kill = () => process.kill(process.pid, 'SIGKILL')
      if (delayMs > 0) setTimeout(kill, delayMs)
      else setImmediate(kill)
    }
  }
  return query.call(this, first, ...rest)
} as never

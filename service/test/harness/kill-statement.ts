// A test preloads this into a process: it exits after a number of statements that insert or book entries, as if it were
// killed in the middle of a file.
import pg from 'pg'

let left = Number(process.env['KILL_AFTER'])
const marks = (process.env['KILL_ON'] ?? '').split('|')

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function counted(this: unknown, first: unknown, ...rest: unknown[]) {
  const text = String((first as { text?: unknown } | null)?.text ?? first)
  if (marks.some((mark) => text.includes(mark))) {
    left -= 1
    // The statement is sent, so that the database may or may not execute it.
    if (left < 0) setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  }
  return query.call(this, first, ...rest)
} as never

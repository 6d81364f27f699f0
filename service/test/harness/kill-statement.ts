// Preloaded into a process by a test: it ends after so many statements that write entries or book them, as if somebody
// had pulled its plug in the middle of a file.
import pg from 'pg'

let left = Number(process.env['KILL_AFTER'])
const marks = (process.env['KILL_ON'] ?? '').split('|')

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function counted(this: unknown, first: unknown, ...rest: unknown[]) {
  const text = String((first as { text?: unknown } | null)?.text ?? first)
  if (marks.some((mark) => text.includes(mark))) {
    left -= 1
    // Sent, so that what the database does with it is up to the database.
    if (left < 0) setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  }
  return query.call(this, first, ...rest)
} as never

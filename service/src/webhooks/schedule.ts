// When a message is tried again, and when an endpoint. Pure, so that a table can say what they promise.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The pause before each attempt at a message, from the second one on: three days and three hours in all. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** Development says soon that it has given up. */
export const attemptsMax = (environment: string): number => (environment === 'development' ? 3 : pauses.length + 1)

/**
 * How long to wait after so many attempts, or null when that was the last one. Up to a tenth longer, by chance: what
 * failed together shall not come back together.
 */
export function pauseAfter(tries: number, triesMax: number, chance: number): number | null {
  const pause = pauses[tries - 1]
  return pause === undefined || tries >= triesMax ? null : withJitter(pause, chance)
}

/** The pause of a whole endpoint while nothing gets through: one message finds out for all. */
const blocks = [5 * second, 30 * second, minute, 2 * minute, 5 * minute]

/**
 * Far shorter than those of a message, so that an endpoint that is back gets what has gathered within minutes; and long
 * enough that one that hangs holds a place for 15 seconds in five minutes and not all the time.
 */
export function blockAfter(failures: number, chance: number): number {
  return withJitter(blocks[Math.min(failures, blocks.length) - 1] ?? 0, chance)
}

function withJitter(ms: number, chance: number): number {
  return Math.round(ms * (1 + chance / 10))
}

/** What Retry-After asks for, in milliseconds: seconds or a date, at least nothing, at most a day. */
export function retryAfterMs(header: string | null, now: Date): number {
  const text = header?.trim() ?? ''
  const wanted = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return Number.isNaN(wanted) ? 0 : Math.min(Math.max(wanted, 0), day)
}

/** An endpoint that nothing has got through to for so long is given up. */
export const failingMsMax = 5 * day

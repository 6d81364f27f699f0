import { createClient, defineScript } from '@redis/client'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { type Bucket, type Ceiling, type Decision, windowMs } from './bucket.ts'

/**
 * The sliding window of a bucket as a sorted set with one member per accepted request. Scores are Redis's own time in
 * microseconds, so that processes with different clocks count by one clock. Each score is larger than the last, so that
 * two requests in one microsecond stay two members. The ceiling is a counter; 0 means that there is none.
 */
const take = defineScript({
  NUMBER_OF_KEYS: 2,
  SCRIPT: `
    local key, ceilingKey = KEYS[1], KEYS[2]
    local limit, window, ceiling = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    local newest = redis.call('ZRANGE', key, -1, -1)[1]
    -- A clock that was an hour ahead and is set back must not lock a caller out for an hour.
    if newest and tonumber(newest) > now + window then redis.call('DEL', key) newest = nil end
    local count = redis.call('ZCARD', key)
    local entry = ''
    local isOverCeiling = ceiling > 0 and tonumber(redis.call('GET', ceilingKey) or '0') >= ceiling
    if count < limit and not isOverCeiling then
      local score = now
      if newest and tonumber(newest) >= now then score = tonumber(newest) + 1 end
      entry = string.format('%.0f', score)
      redis.call('ZADD', key, entry, entry)
      redis.call('PEXPIRE', key, window / 1000)
      count = count + 1
      if ceiling > 0 and redis.call('INCR', ceilingKey) == 1 then
        redis.call('PEXPIRE', ceilingKey, window / 1000)
      end
    end
    local oldest = redis.call('ZRANGE', key, 0, 0)[1] or now
    local ceilingFreesIn = isOverCeiling and redis.call('PTTL', ceilingKey) or -1
    return { entry, limit - count, string.format('%.0f', oldest + window - now), ceilingFreesIn }`,
  parseCommand(parser, key: string, limit: number, ceiling: Ceiling) {
    parser.pushKey(key)
    parser.pushKey(ceiling.key)
    parser.push(String(limit), String(windowMs * 1000), String(ceiling.limit))
  },
  transformReply(reply: unknown): { entry: string; remaining: number; freesInMs: number; ceilingFreesInMs: number } {
    const [entry, remaining, freesInUs, ceilingFreesInMs] = reply as [string, number, string, number]
    return { entry, remaining: Math.max(0, remaining), freesInMs: Number(freesInUs) / 1000, ceilingFreesInMs }
  },
})

/** Takes back an accepted request. A counter that has expired must not restart below zero. */
const giveBack = defineScript({
  NUMBER_OF_KEYS: 2,
  SCRIPT: `
    redis.call('ZREM', KEYS[1], ARGV[1])
    local ceiling = tonumber(ARGV[2])
    if ceiling > 0 and tonumber(redis.call('GET', KEYS[2]) or '0') > 0 then redis.call('DECR', KEYS[2]) end`,
  parseCommand(parser, key: string, entry: string, ceiling: Ceiling) {
    parser.pushKey(key)
    parser.pushKey(ceiling.key)
    parser.push(entry, String(ceiling.limit))
  },
  transformReply: () => undefined,
})

/** A sliding window shared by all processes. `take` throws if Redis does not respond quickly. */
export class RedisWindow {
  readonly #client
  readonly #prefix: string
  readonly #timeoutMs: number
  /** Settles with the first attempt to connect: until then, a process that has just started must not count alone. */
  #connecting: Promise<unknown> | undefined
  #isClosed = false

  /**
   * A healthy Redis replies in under a millisecond; a frozen one must not delay requests for longer than `timeoutMs`.
   * The client has a timeout for a command that waits to be sent, but none for one that waits for its reply.
   */
  constructor({ url, prefix, timeoutMs }: { url: string; prefix: string; timeoutMs: number }, log: Logger) {
    this.#prefix = prefix
    this.#timeoutMs = timeoutMs
    this.#client = createClient({
      url,
      scripts: { take, giveBack },
      // A command fails at once while Redis is down instead of waiting for the connection.
      disableOfflineQueue: true,
      // The client's own timeout creates an abort signal per command that fires seconds after the reply. We use ours.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: 1_000, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1_000) },
    })
    this.#client.on('error', (error) => log.debug({ err: error }, 'Redis connection failed'))
    // The client destroys only an open connection: one that opens afterwards would stay.
    this.#client.on('connect', () => {
      if (this.#isClosed) this.#client.destroy()
    })
    this.#client.on('ready', () => log.info('connected to Redis'))
    this.#client.on('reconnecting', () => log.debug('reconnecting to Redis'))
    const client = this.#client
    this.#connecting = Promise.race([
      new Promise((resolve) => client.once('ready', resolve)),
      new Promise((resolve) => client.once('error', resolve)),
    ]).finally(() => {
      this.#connecting = undefined
    })
    // Not awaited: the service starts without Redis and counts requests by itself.
    this.#client.connect().catch((error: unknown) => {
      if (!this.#isClosed) log.warn({ err: error }, 'cannot connect to Redis')
    })
  }

  async take({ key, limit, ceiling }: Bucket): Promise<Decision> {
    const own = this.#prefix + key
    const shared = { key: this.#prefix + (ceiling?.key ?? key), limit: ceiling?.limit ?? 0 }
    if (this.#connecting) await withTimeout(this.#connecting, this.#timeoutMs)
    const reply = this.#client.take(own, limit, shared)
    let hasTimedOut = false
    // After a timeout the in-memory window counts the request, so the entry of a late reply is removed.
    reply
      .then(({ entry }) => (hasTimedOut && entry ? this.#client.giveBack(own, entry, shared) : undefined))
      .catch(() => {})
    try {
      const { entry, remaining, freesInMs, ceilingFreesInMs } = await withTimeout(reply, this.#timeoutMs)
      const decision = { accepted: entry !== '', limit, remaining, freesInMs }
      if (!ceiling || ceilingFreesInMs < 0) return decision
      return { ...decision, ceiling: { limit: ceiling.limit, freesInMs: ceilingFreesInMs } }
    } catch (error) {
      hasTimedOut = true
      throw error
    }
  }

  close(): void {
    this.#isClosed = true
    this.#client.destroy()
  }
}

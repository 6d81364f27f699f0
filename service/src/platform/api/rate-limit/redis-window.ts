import { createClient, defineScript } from 'redis'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { type Bucket, type Decision, windowMs } from './bucket.ts'

/**
 * The sliding window of a bucket as a sorted set with one member per accepted request. Scores are Redis's own time in
 * microseconds, so that processes with different clocks count by one clock. Each score is larger than the last, so that
 * two requests in one microsecond stay two members.
 */
const take = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    local newest = redis.call('ZRANGE', key, -1, -1)[1]
    -- A clock that was set back by an hour must not lock a caller out for an hour.
    if newest and tonumber(newest) > now + window then redis.call('DEL', key) newest = nil end
    local count = redis.call('ZCARD', key)
    local entry = ''
    if count < limit then
      local score = now
      if newest and tonumber(newest) >= now then score = tonumber(newest) + 1 end
      entry = string.format('%.0f', score)
      redis.call('ZADD', key, entry, entry)
      redis.call('PEXPIRE', key, window / 1000)
      count = count + 1
    end
    local oldest = redis.call('ZRANGE', key, 0, 0)[1]
    return { entry, limit - count, string.format('%.0f', oldest + window - now) }`,
  parseCommand(parser, key: string, limit: number) {
    parser.pushKey(key)
    parser.push(String(limit), String(windowMs * 1000))
  },
  transformReply(reply: unknown): { entry: string; remaining: number; freesInMs: number } {
    const [entry, remaining, freesInUs] = reply as [string, number, string]
    return { entry, remaining: Math.max(0, remaining), freesInMs: Number(freesInUs) / 1000 }
  },
})

/** A sliding window shared by all processes. `take` throws if Redis does not respond quickly. */
export class RedisWindow {
  readonly #client
  readonly #prefix: string

  constructor(url: string, prefix: string, log: Logger) {
    this.#prefix = prefix
    this.#client = createClient({
      url,
      scripts: { take },
      // A command fails at once while Redis is down instead of waiting for the connection.
      disableOfflineQueue: true,
      // The client's own timeout creates an abort signal per command that fires seconds after the reply. We use ours.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: 1_000, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1_000) },
    })
    this.#client.on('error', (error) => log.debug({ err: error }, 'Redis connection failed'))
    this.#client.on('ready', () => log.info('connected to Redis'))
    this.#client.on('reconnecting', () => log.debug('reconnecting to Redis'))
    // Not awaited: the service starts, and limits requests on its own, without Redis.
    this.#client.connect().catch((error: unknown) => log.warn({ err: error }, 'cannot connect to Redis'))
  }

  async take({ key, limit }: Bucket): Promise<Decision> {
    const reply = this.#client.take(this.#prefix + key, limit)
    let hasTimedOut = false
    // After a timeout the in-memory window counts the request, so the entry of a reply that comes later is removed.
    reply.then(({ entry }) => (hasTimedOut && entry ? this.#client.zRem(this.#prefix + key, entry) : 0)).catch(() => {})
    try {
      const { entry, ...rest } = await withTimeout(reply, replyTimeoutMs)
      return { accepted: entry !== '', limit, ...rest }
    } catch (error) {
      hasTimedOut = true
      throw error
    }
  }

  close(): void {
    this.#client.destroy()
  }
}

// A healthy Redis replies in under a millisecond; a frozen one must not delay requests for longer than this. The client
// has a timeout for a command that waits to be sent, but none for one that waits for its reply.
const replyTimeoutMs = 250

import { createClient, defineScript } from 'redis'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { type Bucket, type Decision, windowMs } from './bucket.ts'

/**
 * The sliding log of a bucket as a sorted set, one member for each accepted request, scored with Redis's own time in
 * microseconds: processes whose clocks differ count by one clock. Each score is made larger than the last, so that two
 * requests in one microsecond stay two members.
 */
const take = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    local newest = redis.call('ZRANGE', key, -1, -1)[1]
    -- A clock that was set back must not lock a caller out for as long as it was set back.
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

/** Counts for all processes together. Every method throws when Redis does not answer quickly. */
export class RedisWindow {
  readonly #client
  readonly #prefix: string

  constructor(url: string, prefix: string, log: Logger) {
    this.#prefix = prefix
    this.#client = createClient({
      url,
      scripts: { take },
      // A command while Redis is away fails at once instead of waiting for it to come back.
      disableOfflineQueue: true,
      // The client's own limit is an abort signal for each command that fires seconds after the answer; ours is below.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: 1_000, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1_000) },
    })
    this.#client.on('error', (error) => log.debug({ err: error }, 'Redis does not answer'))
    this.#client.on('ready', () => log.info('Redis answers'))
    this.#client.on('reconnecting', () => log.debug('connecting to Redis again'))
    // Not awaited: the service starts, and counts by itself, without Redis.
    this.#client.connect().catch((error: unknown) => log.warn({ err: error }, 'Redis cannot be reached'))
  }

  async take({ key, limit }: Bucket): Promise<Decision> {
    const answer = this.#client.take(this.#prefix + key, limit)
    let isLate = false
    // An answer that nobody waits for any more was counted elsewhere meanwhile: here it is taken back.
    answer.then(({ entry }) => (isLate && entry ? this.#client.zRem(this.#prefix + key, entry) : 0)).catch(() => {})
    try {
      const { entry, ...rest } = await withTimeout(answer, answerMs)
      return { accepted: entry !== '', limit, ...rest }
    } catch (error) {
      isLate = true
      throw error
    }
  }

  close(): void {
    this.#client.destroy()
  }
}

// A healthy Redis answers in under a millisecond; one that is frozen must not hold requests up for longer than this.
// The client has a limit for a command that waits to be sent, but none for one that waits for its answer.
const answerMs = 250

import type { FastifyRequest } from 'fastify'
import type { Party } from '../../base/shares.ts'
import { sessionCookieOf } from '../declare/session-cookie.ts'
import type { ApiError } from '../errors/errors.ts'
import { windowMs } from '../rate-limit/bucket.ts'
import { rejectionsExceeded } from '../rate-limit/rate-limit.ts'

/** A caller and its rate limit. */
export interface KnownCaller extends Party {
  readonly requestsPerMinute: number
}

/**
 * Callers that this process has identified, by the token or cookie that they present. Used only to reject: each request
 * that is served has its token or cookie verified again.
 *
 * Counts the rejected requests of each caller. They do not count against its rate limit, because a client that keeps
 * polling must recover, but each costs the others something: a caller with very many is rejected without further work
 * until the minute is over.
 */
export class KnownCallers {
  readonly #callerOf = new Map<string, KnownCaller>()
  readonly #rejectedOf = new Map<string, { count: number; endsAt: number }>()

  find(request: FastifyRequest): KnownCaller | undefined {
    const presented = presentedBy(request)
    return presented === undefined ? undefined : this.#callerOf.get(presented)
  }

  remember(request: FastifyRequest, caller: KnownCaller): void {
    const presented = presentedBy(request)
    if (presented === undefined) return
    if (this.#callerOf.size >= callersMax) this.#callerOf.clear()
    this.#callerOf.set(presented, caller)
  }

  countRejection({ callerId }: Party): void {
    const now = performance.now()
    const known = this.#rejectedOf.get(callerId)
    if (known && known.endsAt > now) known.count += 1
    else {
      if (this.#rejectedOf.size >= callersMax) this.#rejectedOf.clear()
      this.#rejectedOf.set(callerId, { count: 1, endsAt: now + windowMs })
    }
  }

  /** Returns the rejection of a caller with too many rejected requests. */
  flood(caller: KnownCaller): ApiError | undefined {
    const known = this.#rejectedOf.get(caller.callerId)
    const limit = rejectionsMax(caller)
    const freesInMs = (known?.endsAt ?? 0) - performance.now()
    if (!known || known.count < limit || freesInMs <= 0) return undefined
    return rejectionsExceeded(limit, freesInMs)
  }
}

/** Far more than a client with a bug sends, and at least twice the caller's rate limit. */
export function rejectionsMax({ requestsPerMinute }: Pick<KnownCaller, 'requestsPerMinute'>): number {
  return Math.max(rejectionsMin, 2 * requestsPerMinute)
}

const rejectionsMin = 1_200

// About 20 MB. A full map is cleared, and callers are identified again.
const callersMax = 20_000

function presentedBy(request: FastifyRequest): string | undefined {
  return request.headers.authorization ?? sessionCookieOf(request)
}

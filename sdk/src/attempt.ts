import type { Clock } from './clock.ts'
import { AbortError, ConnectionError, type ErrorContext, TimeoutError } from './errors.ts'
import type { AbortSignalLike, FetchLike, FetchRequest, HeadersLike } from './web-types.ts'

export interface Attempt {
  /** What errors call it. */
  readonly name: string
  readonly url: string
  readonly request: Omit<FetchRequest, 'signal' | 'redirect'>
  readonly timeoutMs: number
  readonly signal: AbortSignalLike | undefined
  readonly context: ErrorContext
}

export interface RawAnswer {
  readonly status: number
  readonly headers: HeadersLike
  readonly text: string
}

/**
 * Sends one request and reads its whole answer, both within the time. Of what `fetch` throws nothing is kept but its
 * name: the message of a refused header, for one, quotes the token.
 */
export async function attempt(
  fetch: FetchLike,
  clock: Clock,
  { name, url, request, timeoutMs, signal, context }: Attempt,
): Promise<RawAnswer> {
  const aborted = () => new AbortError(`${name} was aborted by your signal.`, context)
  if (signal?.aborted) throw aborted()
  const controller = new AbortController()
  const timer = new AbortController()
  let stopped: (() => void) | undefined
  try {
    return await Promise.race([
      // A redirect is not followed: it would take the secret in a body to wherever it points.
      fetch(url, { ...request, redirect: 'manual', signal: controller.signal }).then(async (answer) => ({
        status: answer.status,
        headers: answer.headers,
        text: await answer.text(),
      })),
      clock.sleep(timeoutMs, timer.signal).then(() => {
        throw new TimeoutError(`${name} had no whole answer within ${timeoutMs} ms.`, context)
      }),
      // Not left to fetch alone, so that one which ignores its signal cannot hold the caller.
      new Promise<never>((_, reject) => {
        stopped = () => reject(aborted())
        signal?.addEventListener('abort', stopped, { once: true })
      }),
    ])
  } catch (error) {
    if (error instanceof TimeoutError || error instanceof AbortError) throw error
    const reason = nameOf(error)
    throw new ConnectionError(`${name} had no whole answer (${reason}).`, reason, context)
  } finally {
    if (stopped) signal?.removeEventListener('abort', stopped)
    timer.abort()
    controller.abort()
  }
}

/** `ECONNRESET`, or `TypeError`, or the like: a short word, whatever was thrown. */
function nameOf(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown }
  const { code: causeCode, name: causeName } = (cause ?? {}) as { code?: unknown; name?: unknown }
  const isWord = (word: unknown): word is string =>
    typeof word === 'string' && /^[A-Za-z][A-Za-z0-9_]{2,39}$/.test(word)
  return [causeCode, code, causeName, name].find(isWord) ?? 'unknown'
}

import type { Clock } from './clock.ts'
import { AbortError, ConnectionError, type ErrorContext, TimeoutError } from './errors.ts'
import type { AbortSignalLike, FetchLike, FetchRequest, HeadersLike } from './web-types.ts'

export interface Attempt {
  /** Method and path, for error messages. */
  readonly name: string
  readonly url: string
  readonly request: Omit<FetchRequest, 'signal' | 'redirect'>
  readonly timeoutMs: number
  readonly signal: AbortSignalLike | undefined
  readonly context: ErrorContext
}

export interface RawResponse {
  readonly status: number
  readonly headers: HeadersLike
  readonly text: string
}

/**
 * Sends one request and reads the whole response; the timeout covers both. Keeps only the name or code of an error that
 * `fetch` throws, because its message may contain secrets: the one for an invalid header quotes the token.
 */
export async function attempt(
  fetch: FetchLike,
  clock: Clock,
  { name, url, request, timeoutMs, signal, context }: Attempt,
): Promise<RawResponse> {
  const aborted = () => new AbortError(`${name} was aborted by your signal.`, context)
  if (signal?.aborted) throw aborted()
  const controller = new AbortController()
  const timer = new AbortController()
  let stopped: (() => void) | undefined
  try {
    return await Promise.race([
      // Following a redirect could send the secret in the body to another host.
      fetch(url, { ...request, redirect: 'manual', signal: controller.signal }).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      })),
      clock.sleep(timeoutMs, timer.signal).then(() => {
        throw new TimeoutError(`${name} got no complete response within ${timeoutMs} ms.`, context)
      }),
      // A custom fetch may ignore its signal; the caller must still get its error at once.
      new Promise<never>((_, reject) => {
        stopped = () => reject(aborted())
        signal?.addEventListener('abort', stopped, { once: true })
      }),
    ])
  } catch (error) {
    if (error instanceof TimeoutError || error instanceof AbortError) throw error
    const reason = nameOf(error)
    throw new ConnectionError(`${name} got no complete response (${reason}).`, reason, context)
  } finally {
    if (stopped) signal?.removeEventListener('abort', stopped)
    timer.abort()
    controller.abort()
  }
}

/** Returns a short identifier such as `ECONNRESET` or `TypeError`, whatever was thrown. */
function nameOf(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown }
  const { code: causeCode, name: causeName } = (cause ?? {}) as { code?: unknown; name?: unknown }
  const isWord = (word: unknown): word is string =>
    typeof word === 'string' && /^[A-Za-z][A-Za-z0-9_]{2,39}$/.test(word)
  return [causeCode, code, causeName, name].find(isWord) ?? 'unknown'
}

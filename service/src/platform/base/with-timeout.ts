/**
 * Rejects if the promise takes longer than `timeoutMs`. The work itself continues; its result is ignored. A reply that
 * has arrived while this process was busy is read first: it was not late.
 */
export async function withTimeout<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  const timeout = Promise.withResolvers<never>()
  const fail = () => timeout.reject(new Error(`timed out after ${timeoutMs} ms`))
  // The event loop runs due timers first, then reads from sockets, then runs what setImmediate was given.
  const timer = setTimeout(() => setImmediate(fail), timeoutMs)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects if the promise takes longer than `timeoutMs`. The work itself continues; its result is ignored. */
export async function withTimeout<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

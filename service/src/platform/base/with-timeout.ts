/** The answer, or an error when it does not come in time. What is late goes on; nobody waits for it any more. */
export async function withTimeout<Answer>(answer: Promise<Answer>, withinMs: number): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${withinMs} ms`)), withinMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

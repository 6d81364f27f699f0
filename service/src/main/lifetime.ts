/** A part of the service that was composed in this process, and can be started and closed once. */
export interface Lifetime<Result> {
  /** Begins its work. Rejects if it is closed already. */
  start(): Promise<Result>
  /** Makes its readiness report from now on that it is about to stop. It keeps working. */
  drain(): void
  /** Ends its work and releases everything that it has opened, at any time and even if its start has failed. */
  close(): Promise<void>
}

/** Address and port on which a part of the service listens. */
export interface ListeningAt {
  readonly address: string | undefined
  readonly port: number | undefined
}

/**
 * Composes a part of the service. `compose` registers how to close each thing that it opens. They close in reverse
 * order, even if `compose` itself fails.
 */
export async function withLifetime<Result, Others extends object>(
  compose: (closing: AsyncDisposableStack) => Promise<Omit<Lifetime<Result>, 'close'> & Others>,
): Promise<Lifetime<Result> & Others> {
  const closing = new AsyncDisposableStack()
  let composed: Omit<Lifetime<Result>, 'close'> & Others
  try {
    composed = await compose(closing)
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
  let starting: Promise<Result> | undefined
  let closed: Promise<void> | undefined
  const start = async () => {
    if (closed) throw new Error('it was closed before it started')
    starting ??= composed.start()
    return starting
  }
  // Waits for a start in progress: a server closed before it listens would listen afterwards, and never be closed.
  const close = async () => {
    await starting?.catch(() => undefined)
    await closing.disposeAsync()
  }
  return {
    ...composed,
    start,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

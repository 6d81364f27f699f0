const controller = new AbortController()

/** Aborted by the first Ctrl-C. The second Ctrl-C exits the process immediately. */
export const interrupted: AbortSignal = controller.signal

export function watchInterruption(): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130)
      controller.abort()
    })
}

/** Sleeps. Resolves early and without an error if the user interrupts. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      controller.signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    controller.signal.addEventListener('abort', end)
    if (controller.signal.aborted) end()
  })
}

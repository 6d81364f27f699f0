import { host } from '../base/host.ts'
/** Progress on stderr, shown only on a terminal, so scripts do not see it. */
export interface Progress {
  update(message: string): void
  end(): void
}

export async function showProgress(message: string): Promise<Progress> {
  if (!host().stderr.isTTY) return { update: () => {}, end: () => {} }
  // Loaded lazily, because most commands finish without it.
  const { spinner } = await import('@clack/prompts')
  const shown = spinner({ output: host().stderr, indicator: 'timer', withGuide: false })
  shown.start(message)
  return { update: (next) => shown.message(next), end: () => shown.clear() }
}

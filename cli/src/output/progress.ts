/** Something that goes on, told on stderr and to a person only: a script sees nothing of it. */
export interface Progress {
  update(message: string): void
  end(): void
}

export async function showProgress(message: string): Promise<Progress> {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} }
  // Loaded here, since most commands are over before it would be.
  const { spinner } = await import('@clack/prompts')
  const shown = spinner({ output: process.stderr, indicator: 'timer', withGuide: false })
  shown.start(message)
  return { update: (next) => shown.message(next), end: () => shown.clear() }
}

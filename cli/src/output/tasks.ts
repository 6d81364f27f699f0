export interface Task {
  readonly title: string
  run(): Promise<unknown>
}

/** One after the other, each with its tick; on stderr and for a person only. The first that fails ends it. */
export async function runTasks(tasks: readonly Task[]): Promise<void> {
  if (!process.stderr.isTTY) {
    for (const { run } of tasks) await run()
    return
  }
  // Loaded here, since no other command needs it.
  const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import('listr2')
  class OnStderr extends DefaultRenderer {
    // It asks whether stdout is a terminal, where a script may read.
    static override nonTTY = true
  }
  const logger = new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stderr) })
  await new Listr(
    tasks.map(({ title, run }) => ({ title, task: async () => void (await run()) })),
    // Who is interrupted is told by us.
    { registerSignalListeners: false, renderer: OnStderr, rendererOptions: { logger, showErrorMessage: false } },
  ).run()
}

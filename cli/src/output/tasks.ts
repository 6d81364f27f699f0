import { host } from '../base/host.ts'
export interface Task {
  readonly title: string
  run(): Promise<unknown>
}

/** Runs tasks in sequence and stops at the first failure. Shows progress on stderr, only on a terminal. */
export async function runTasks(tasks: readonly Task[]): Promise<void> {
  const { stderr } = host()
  if (!stderr.isTTY) {
    for (const { run } of tasks) await run()
    return
  }
  // Loaded lazily, because no other command needs it.
  const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import('listr2')
  class OnStderr extends DefaultRenderer {
    // Listr checks whether stdout is a terminal, but the progress goes to stderr.
    static override nonTTY = true
  }
  const terminal = stderr as NodeJS.WriteStream
  const logger = new ListrLogger({ processOutput: new ProcessOutput(terminal, terminal) })
  await new Listr(
    tasks.map(({ title, run }) => ({ title, task: async () => void (await run()) })),
    // The CLI handles signals itself.
    { registerSignalListeners: false, renderer: OnStderr, rendererOptions: { logger, showErrorMessage: false } },
  ).run()
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Runs a file of this folder in a process of its own: sends it the plan, and returns its reply. */
export async function runChild<Reply extends object>(file: string, plan: object): Promise<Reply> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { serialization: 'advanced' })
  child.send(plan)
  const replied = Promise.withResolvers<Reply | { problem: string }>()
  child.once('message', (message) => replied.resolve(message as Reply | { problem: string }))
  child.once('exit', () => replied.resolve({ problem: `${file} ended early` }))
  const reply = await replied.promise
  if (child.connected) {
    child.disconnect()
    await once(child, 'exit')
  }
  if ('problem' in reply) throw new Error(reply.problem)
  return reply
}

/** Waits for the plan in that process, does its work, and replies with the result. */
export function replyWith(work: (plan: never) => Promise<object>): void {
  process.once('message', (plan) => {
    work(plan as never).then(
      (reply) => process.send?.(reply),
      (error: Error) => process.send?.({ problem: error.message }),
    )
  })
}

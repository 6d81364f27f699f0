import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What one connection sends, one request after the other and again from the beginning. */
export type Requests = readonly string[]

export interface LoadPlan {
  readonly port: number
  readonly seconds: number
  /** One entry for each connection. */
  readonly requestsOf: readonly Requests[]
  readonly expectedStatus: number
}

export interface LoadResult {
  /** Milliseconds of each request that ended in time. */
  readonly latencies: readonly number[]
  readonly seconds: number
  /** Processor time of the generator itself, in seconds: it shares the machine with what it measures. */
  readonly processorSeconds: number
}

/** Stands in a request where each sending puts a value of its own, such as an idempotency key. */
export const uniqueValue = '{unique}'

/** A request as it goes over the wire. Written once, so that sending it costs the generator next to nothing. */
export function httpRequest(
  method: 'GET' | 'POST',
  path: string,
  { token, body, isKeyed = false }: { token: string; body?: unknown; isKeyed?: boolean },
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  return [
    `${method} /api${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    ...(isKeyed ? [`x-idempotency-key: ${uniqueValue}`] : []),
    ...(text ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
    '',
    text,
  ].join('\r\n')
}

/** Sends the plan from a process of its own, and throws when one answer is not what was expected. */
export async function runHttpLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('./http-load-process.ts', import.meta.url)), { serialization: 'advanced' })
  child.send(plan)
  const answered = Promise.withResolvers<LoadResult | { problem: string }>()
  child.once('message', (message) => answered.resolve(message as LoadResult | { problem: string }))
  child.once('exit', () => answered.resolve({ problem: 'the load generator ended before it was done' }))
  const result = await answered.promise
  if (child.connected) {
    child.disconnect()
    await once(child, 'exit')
  }
  if ('problem' in result) throw new Error(result.problem)
  return result
}

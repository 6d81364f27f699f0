import { setTimeout as sleep } from 'node:timers/promises'

/** One of the requests that the drill repeats. */
export interface QuietRequest {
  readonly kind: 'read' | 'write'
  readonly method: string
  readonly url: string
  readonly token: string
  readonly body?: object
  readonly hasKey?: boolean
}

export interface QuietSample {
  readonly kind: QuietRequest['kind']
  /** 0 if there was no response. */
  readonly status: number
  readonly ms: number
}

export interface QuietRun {
  readonly requests: readonly QuietRequest[]
  readonly seconds: number
}

const everyMs = 200

/** Sends each request on its own schedule, so that a late response delays no other request. */
async function run({ requests, seconds }: QuietRun): Promise<QuietSample[]> {
  const samples: Promise<QuietSample>[] = []
  const endsAt = performance.now() + seconds * 1_000
  while (performance.now() < endsAt)
    for (const request of requests) {
      samples.push(timed(request))
      await sleep(everyMs / requests.length)
    }
  return Promise.all(samples)
}

async function timed(request: QuietRequest): Promise<QuietSample> {
  const startedAt = performance.now()
  const status = await send(request).catch(() => 0)
  return { kind: request.kind, status, ms: performance.now() - startedAt }
}

async function send({ method, url, token, body, hasKey }: QuietRequest): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(hasKey && { 'x-idempotency-key': crypto.randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.text()
  return response.status
}

// Runs in a process of its own: an attacker's work in the same one would delay the measured requests.
process.on('message', (message: QuietRun) => {
  void run(message).then((samples) => process.send?.(samples))
})
process.on('disconnect', () => process.exit())

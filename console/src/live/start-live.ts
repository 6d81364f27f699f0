import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { currentConnection, onConnectionChange } from '../api/connection.ts'
import { refetchLive } from '../api/live-refetch.ts'
import { followEvents } from './follow-events.ts'
import { queriesOf } from './invalidate.ts'

/** Delay that collects a burst of events: one statement can book hundreds of orders. */
const burstMs = 150
const flushMsMin = 2_000

/** Keeps the screen current: from events, and after a lost connection returns. */
export function startLive(client: QueryClient): () => void {
  const old = new Map<string, QueryKey>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let flushedAt = Number.NEGATIVE_INFINITY

  const flush = () => {
    timer = undefined
    flushedAt = performance.now()
    for (const key of old.values()) void refetchLive(client, key)
    old.clear()
  }
  const add = (keys: readonly QueryKey[]) => {
    for (const key of keys) old.set(hashKey(key), key)
    timer ??= setTimeout(flush, Math.max(burstMs, flushedAt + flushMsMin - performance.now()))
  }
  const stopFollowing = followEvents({
    onMessage: ({ type, data }) => add(queriesOf(type, dataIn(data))),
    // An empty key is a prefix of every key.
    onGap: () => add([[]]),
  })
  let before = currentConnection()
  const stopListening = onConnectionChange(() => {
    const isBack = before !== 'ok' && currentConnection() === 'ok'
    before = currentConnection()
    if (isBack) add([[]])
  })
  return () => {
    clearTimeout(timer)
    stopFollowing()
    stopListening()
  }
}

function dataIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const { data } = JSON.parse(text) as { data?: Readonly<Record<string, unknown>> }
    return data ?? {}
  } catch {
    return {}
  }
}

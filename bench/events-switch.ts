// Preloaded into the API process of a benchmark: one signal makes recordEvent do nothing, another makes it record again.
// The service itself has no such switch.
import { registerHooks } from 'node:module'

declare global {
  var isRecordingEvents: boolean
}

globalThis.isRecordingEvents = true
// Signals that the service does not treat as a request to stop. Two different ones, because two equal pending signals
// are merged.
process.on('SIGWINCH', () => {
  globalThis.isRecordingEvents = false
})
process.on('SIGCONT', () => {
  globalThis.isRecordingEvents = true
})

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/events/event.sql.ts')) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    const first = '  const scope = scopeOfEvent(type)\n  const isOwn'
    if (!source.includes(first)) throw new Error('recordEvent does not start with the expected lines')
    return { ...loaded, source: source.replace(first, `  if (!globalThis.isRecordingEvents) return\n${first}`) }
  },
})

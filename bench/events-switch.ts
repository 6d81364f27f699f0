// Preloaded into the API process of a measurement: one signal makes recordEvent do nothing, another makes it
// record again. Nothing in the service itself can be told not to record.
import { registerHooks } from 'node:module'

declare global {
  var isRecordingEvents: boolean
}

globalThis.isRecordingEvents = true
// Signals that end nothing: the service takes most of the others as a wish to stop. One for each, since two of the same
// that come at once are one.
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
    const first = '  const scope = eventTypes[type]\n  const isOwn'
    if (!source.includes(first)) throw new Error('recordEvent does not begin as it did')
    return { ...loaded, source: source.replace(first, `  if (!globalThis.isRecordingEvents) return\n${first}`) }
  },
})

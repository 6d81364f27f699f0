import {
  currentConnection,
  isFromService,
  onConnectionChange,
  reportReachable,
  reportSessionEnd,
  reportUnreachable,
} from '../api/connection.ts'
import { readMessages, type StreamMessage } from './read-messages.ts'

/** A hidden page closes its connection: a browser allows six per server, and the service five streams per person. */
const hiddenMsMax = 30_000
/** Longest silence of a healthy stream: the service sends a comment every 15 s. */
const silentMsMax = 40_000
const retryMsMin = 500
const retryMsMax = 15_000

interface Listener {
  readonly onMessage: (message: StreamMessage) => void
  /** Called if the screen may be outdated: the stream began without a position, was reset, or was rejected. */
  readonly onGap: () => void
}

/**
 * Follows the events of the tenant until the returned function is called. Reconnects with back-off and continues after
 * the last event. Its attempts also find out when a service that was unreachable is back.
 */
export function followEvents(listener: Listener): () => void {
  const follower = new Follower(listener)
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  const onVisibility = () => {
    clearTimeout(hiddenTimer)
    if (document.hidden) hiddenTimer = setTimeout(() => follower.disconnect(), hiddenMsMax)
    else follower.wake()
  }
  const onOnline = () => follower.restart()
  const onOffline = () => {
    reportUnreachable()
    follower.disconnect()
  }
  const stopListening = onConnectionChange(() => {
    // A failed request is better evidence than a silent stream.
    if (currentConnection() === 'unreachable') follower.disconnect()
    else follower.wake()
  })
  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('online', onOnline)
  addEventListener('offline', onOffline)
  void follower.run()
  return () => {
    clearTimeout(hiddenTimer)
    stopListening()
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('online', onOnline)
    removeEventListener('offline', onOffline)
    follower.stop()
  }
}

class Follower {
  readonly #listener: Listener
  #attempt = new AbortController()
  #isWoken = false
  #resume = () => {}
  #isStopped = false
  #position = ''
  #failures = 0

  constructor(listener: Listener) {
    this.#listener = listener
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      if (document.hidden || currentConnection() === 'ended') await this.#woken()
      else {
        await this.#follow()
        await Promise.race([this.#pause(), this.#woken()])
      }
    }
  }

  /** Ends the current pause, so that the next attempt starts at once. */
  wake(): void {
    this.#isWoken = true
    this.#failures = 0
    this.#resume()
  }

  disconnect(): void {
    this.#attempt.abort()
  }

  restart(): void {
    this.disconnect()
    this.wake()
  }

  stop(): void {
    this.#isStopped = true
    this.restart()
  }

  /** Resolves at the next call of `wake`, or at once if it was called during the last attempt. */
  async #woken(): Promise<void> {
    if (!this.#isWoken)
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
    this.#isWoken = false
  }

  /** Waits a random time, so that not all consoles reconnect together after a restart of the service. */
  #pause(): Promise<void> {
    const longest = Math.min(retryMsMin * 2 ** this.#failures, retryMsMax)
    this.#failures += 1
    return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)))
  }

  async #follow(): Promise<void> {
    this.#attempt = new AbortController()
    const { signal } = this.#attempt
    const headers = { 'X-Console': '1', ...(this.#position && { 'Last-Event-ID': this.#position }) }
    const response = await fetch('/operator/events/stream', { headers, signal }).catch(() => undefined)
    if (!response || !isFromService(response)) return signal.aborted ? undefined : reportUnreachable()
    reportReachable()
    if (response.status === 401) return reportSessionEnd()
    if (!response.ok || !response.body) return this.#listener.onGap()
    let silence: ReturnType<typeof setTimeout> | undefined
    const onBytes = () => {
      clearTimeout(silence)
      silence = setTimeout(() => this.disconnect(), silentMsMax)
    }
    try {
      for await (const message of readMessages(response.body, onBytes)) this.#receive(message)
    } catch {
      // The connection broke. The next attempt shows whether the service can be reached.
    } finally {
      clearTimeout(silence)
    }
  }

  #receive(message: StreamMessage): void {
    this.#failures = 0
    const isStart = message.type === 'ready' || message.type === 'reset'
    if (message.type === 'reset' || this.#position === '') this.#listener.onGap()
    this.#position = message.id || this.#position
    if (!isStart) this.#listener.onMessage(message)
  }
}

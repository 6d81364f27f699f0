import { useSyncExternalStore } from 'react'

/**
 * Whether the service can be reached with this session. `ended`: the session is over; what is on the screen stays until
 * the person has signed in again.
 */
type Connection = 'ok' | 'unreachable' | 'ended'

let connection: Connection = 'ok'
let isSignedIn = false
const listeners = new Set<() => void>()

function change(to: Connection): void {
  if (connection === to) return
  connection = to
  for (const listener of listeners) listener()
}

/** A person is at work, so from now on an ended session must not take the screen away. */
export function startSession(): void {
  isSignedIn = true
}

export function hasSession(): boolean {
  return isSignedIn
}

/** Bad gateway and gateway timeout are responses of a proxy that did not reach the service. */
export function isFromService({ status }: Response): boolean {
  return status !== 502 && status !== 504
}

/** A request got no response. */
export function reportUnreachable(): void {
  if (connection === 'ok') change('unreachable')
}

/** A request got a response, whatever it was. */
export function reportReachable(): void {
  if (connection === 'unreachable') change('ok')
}

export function reportSessionEnd(): void {
  change('ended')
}

export function reportSessionStart(): void {
  change('ok')
}

export function currentConnection(): Connection {
  return connection
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, currentConnection)
}

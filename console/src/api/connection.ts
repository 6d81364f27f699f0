import { useSyncExternalStore } from 'react'

/** State of connection and session. After `ended`, the screen stays as it is until the person signs in again. */
type Connection = 'ok' | 'unreachable' | 'ended'

let connection: Connection = 'ok'
let isSignedIn = false
const listeners = new Set<() => void>()

function change(to: Connection): void {
  if (connection === to) return
  connection = to
  for (const listener of listeners) listener()
}

/** Called once a person is at work: from now on an ended session must not clear the screen. */
export function startSession(): void {
  isSignedIn = true
}

export function hasSession(): boolean {
  return isSignedIn
}

/** A proxy that cannot reach the service responds with bad gateway or gateway timeout. */
export function isFromService({ status }: Response): boolean {
  return status !== 502 && status !== 504
}

/** Called if a request got no response. */
export function reportUnreachable(): void {
  if (connection === 'ok') change('unreachable')
}

/** Called if a request got any response. */
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

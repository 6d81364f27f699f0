/** One request in the request log: enough to find it, but none of its content. */
export interface LoggedRequest {
  readonly clientId: string
  readonly requestId: string
  readonly respondedAt: Date
  readonly method: string
  /** The path template; parameter values are never logged. */
  readonly route: string
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
  readonly idempotencyKey: string | null
}

/** Receives each request of an integrator after its response was sent. Must not block. */
export interface RequestLogger {
  add(tenantId: string, request: LoggedRequest): void
}

// The parts of Web APIs that the client's public types use. Declared here, so that the types also compile in a project
// with neither the DOM nor the Node type library.

export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface HeadersLike {
  get(name: string): string | null
}

export interface FetchRequest {
  method: string
  headers: Record<string, string>
  body?: string
  /** An AbortSignal. */
  // oxlint-disable-next-line typescript/no-explicit-any -- not every project has the type AbortSignal
  signal: any
  redirect: 'manual'
}

export interface FetchResponse {
  readonly status: number
  readonly headers: HeadersLike
  text(): Promise<string>
}

/** The part of `fetch` that the client uses. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchResponse>

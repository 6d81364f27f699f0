// The parts of Web APIs that the client's own types speak of. They are spelled out, and not taken from a library of
// TypeScript, so that the types compile in a project that has neither the DOM's nor Node's.

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
  // biome-ignore lint/suspicious/noExplicitAny: its type is not there in every project
  signal: any
  redirect: 'manual'
}

export interface FetchAnswer {
  readonly status: number
  readonly headers: HeadersLike
  text(): Promise<string>
}

/** What the client needs of `fetch`. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchAnswer>

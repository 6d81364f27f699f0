import type { HeadersLike } from './web-types.ts'

/** The data with the status, headers and ids of its response. */
export interface ApiResponse<Data> {
  data: Data
  status: number
  headers: HeadersLike
  /** Quote it when you contact support about the request. */
  requestId: string | undefined
  idempotencyKey: string | undefined
  /** True if this is the stored response to an earlier request with the same key. */
  isReplay: boolean
  /** Number of times the request was sent. */
  attempts: number
}

/** A request in flight. Await it for the data, or call `withResponse()` for the status, headers and ids as well. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Call'
  /** The request's key, available before the response. Undefined if the operation takes none. */
  readonly idempotencyKey: string | undefined
  readonly #response: Promise<ApiResponse<Data>>

  constructor(response: Promise<ApiResponse<Data>>, idempotencyKey?: string) {
    this.#response = response
    this.idempotencyKey = idempotencyKey
  }

  withResponse(): Promise<ApiResponse<Data>> {
    return this.#response
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a call is a promise with extra members
  then<Result = Data, Failed = never>(
    onData?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    return this.#response.then(({ data }) => data).then(onData, onError)
  }

  catch<Failed = never>(onError?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): Promise<Data | Failed> {
    return this.then(undefined, onError)
  }

  finally(onSettled?: (() => void) | null): Promise<Data> {
    return this.#response.then(({ data }) => data).finally(onSettled)
  }
}

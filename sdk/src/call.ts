import type { HeadersLike } from './web-types.ts'

/** What came back, beside the data itself. */
export interface Answered<Data> {
  data: Data
  status: number
  headers: HeadersLike
  /** Name it when you ask us about the request. */
  requestId: string | undefined
  idempotencyKey: string | undefined
  /** Whether this is the answer of an earlier request with the same key. */
  isReplay: boolean
  /** How often the request was sent. */
  attempts: number
}

/** A request under way. Await it for the data, or `withResponse()` for headers, status and ids too. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Call'
  /** The key that the request carries, known before its answer; undefined where the operation takes none. */
  readonly idempotencyKey: string | undefined
  readonly #answered: Promise<Answered<Data>>

  constructor(answered: Promise<Answered<Data>>, idempotencyKey?: string) {
    this.#answered = answered
    this.idempotencyKey = idempotencyKey
  }

  withResponse(): Promise<Answered<Data>> {
    return this.#answered
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise that knows more
  then<Result = Data, Failed = never>(
    onData?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    return this.#answered.then(({ data }) => data).then(onData, onError)
  }

  catch<Failed = never>(onError?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): Promise<Data | Failed> {
    return this.then(undefined, onError)
  }

  finally(onSettled?: (() => void) | null): Promise<Data> {
    return this.#answered.then(({ data }) => data).finally(onSettled)
  }
}

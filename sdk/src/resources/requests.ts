import type { Call } from '../call.ts'
import type { RequestPage } from '../generated/schemas.ts'
import type { RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

export interface RequestLogOptions extends RequestOptions {
  /** Only entries older than the one of this id: the last that you have seen. */
  before?: string | undefined
  /** Only what was answered by an error. */
  refused?: boolean | undefined
  /** 10 to 50. Default: 50. */
  limit?: number | undefined
}

const limitDefault = 50

/** What this credential has asked for in the last 30 days: to find the request that somebody complains about. */
export class Requests {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Newest first. A request appears a second or two after its answer. Scope: any. */
  list({ before, refused, limit = limitDefault, ...options }: RequestLogOptions = {}): Call<RequestPage> {
    const query = { before, refused: refused === undefined ? undefined : String(refused), limit }
    return this.#transport.call('listRequests', { query, options })
  }
}

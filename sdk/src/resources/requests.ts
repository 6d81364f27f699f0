import type { Call } from '../call.ts'
import type { RequestPage } from '../generated/schemas.ts'
import type { RequestOptions } from '../options.ts'
import { limitDefault, Resource } from './resource.ts'

export interface RequestLogOptions extends RequestOptions {
  /** Only requests older than the one with this id. For the next page, pass the last id of the previous one. */
  before?: string | undefined
  /** Only requests whose response was an error. */
  failed?: boolean | undefined
  /** 10 to 50. Default: 50. */
  limit?: number | undefined
}

/** The requests of this credential in the last 30 days, for debugging. */
export class Requests extends Resource {
  /** The requests, newest first. A request appears a second or two after its response. Scope: any. */
  list({ before, failed, limit = limitDefault, ...options }: RequestLogOptions = {}): Call<RequestPage> {
    const query = { before, failed: failed === undefined ? undefined : String(failed), limit }
    return this.call('listRequests', { query, options })
  }
}

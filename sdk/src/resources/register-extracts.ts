import type { Call } from '../call.ts'
import type { NewRegisterExtract, RegisterExtract, RegisterExtractPage } from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import { limitDefault, Resource } from './resource.ts'

export interface RegisterExtractListOptions extends RequestOptions {
  /** Only extracts older than the one with this id. For the next page, pass the last id of the previous one. */
  before?: string | undefined
  offeringId?: string | undefined
  /** 10 to 50. Default: 50. */
  limit?: number | undefined
}

/** Extracts of an offering's register about one holder, as files. */
export class RegisterExtracts extends Resource {
  /** Creates an extract as of a time, or as of the last finalized block. Scope: `account.read`. */
  create(accountId: string, body: NewRegisterExtract, options?: WriteOptions): Call<RegisterExtract> {
    return this.call('createRegisterExtract', { params: { accountId }, body, options })
  }

  /** Requested extracts and those made after a change, newest first, without the files. Scope: `account.read`. */
  list(
    accountId: string,
    { before, offeringId, limit = limitDefault, ...options }: RegisterExtractListOptions = {},
  ): Call<RegisterExtractPage> {
    const query = { before, offering_id: offeringId, limit }
    return this.call('listRegisterExtracts', { params: { accountId }, query, options })
  }

  /** One extract with its file in base64. Scope: `account.read`. */
  get(accountId: string, extractId: string, options?: RequestOptions): Call<RegisterExtract> {
    return this.call('getRegisterExtract', { params: { accountId, extractId }, options })
  }
}

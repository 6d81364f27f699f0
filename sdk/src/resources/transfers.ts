import type { Call } from '../call.ts'
import type { NewTransferRequest, TransferRequest, TransferRequestPage } from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import { limitDefault, Resource } from './resource.ts'

export interface TransferListOptions extends RequestOptions {
  /** Only transfers older than the one with this id. For the next page, pass the last id of the previous one. */
  before?: string | undefined
  status?: TransferRequest['status'] | undefined
  /** 10 to 50. Default: 50. */
  limit?: number | undefined
}

/** Requests to move units from one wallet to another. */
export class Transfers extends Resource {
  /** Requests a transfer. Once it is `READY`, the sender sends exactly `units` to the receiver. Scope: `order.create`. */
  create(body: NewTransferRequest, options?: WriteOptions): Call<TransferRequest> {
    return this.call('createTransfer', { body, options })
  }

  /** One transfer with everything that keeps it from advancing. Scope: `order.read`. */
  get(transferId: string, options?: RequestOptions): Call<TransferRequest> {
    return this.call('getTransfer', { params: { transferId }, options })
  }

  /** Transfers, newest first. Scope: `order.read`. */
  list({ before, status, limit = limitDefault, ...options }: TransferListOptions = {}): Call<TransferRequestPage> {
    return this.call('listTransfers', { query: { before, status, limit }, options })
  }

  /**
   * Cancels a transfer whose units have not moved. Needs no idempotency key: cancelling a cancelled transfer returns
   * the same response. Scope: `order.update` or `order.delete`.
   */
  cancel(transferId: string, options?: RequestOptions): Call<TransferRequest> {
    return this.call('cancelTransfer', { params: { transferId }, options })
  }
}

import type { Call } from '../call.ts'
import type { Responses, Wallet } from '../generated/schemas.ts'
import { List } from '../list.ts'
import type { ListOptions, RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import { pageOf } from './page-of.ts'

export class Wallets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One wallet. Scope: `wallet.read`. */
  get(accountId: string, walletId: string, options?: RequestOptions): Call<Wallet> {
    return this.#transport.call('getWallet', { params: { accountId, walletId }, options })
  }

  /** The wallets of an account. Scope: `wallet.read`. */
  list(accountId: string, options?: ListOptions): List<Responses['listWallets']> {
    return new List((page) => this.#transport.call('listWallets', pageOf(page, { accountId })), options)
  }

  /**
   * The balance of each token in each wallet of an account, in the token's smallest unit. `language` selects the
   * translation of offering names, where one exists. Scope: `wallet.read`.
   */
  balances(
    accountId: string,
    { language, ...options }: ListOptions & { language?: string | undefined } = {},
  ): List<Responses['listWalletBalances']> {
    const path = { accountId }
    return new List((page) => this.#transport.call('listWalletBalances', pageOf(page, path, { language })), options)
  }
}

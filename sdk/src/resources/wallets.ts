import type { Call } from '../call.ts'
import type { Answers, Wallet } from '../generated/schemas.ts'
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
  list(accountId: string, options?: ListOptions): List<Answers['listWallets']> {
    return new List((page) => this.#transport.call('listWallets', pageOf(page, { accountId })), options)
  }

  /**
   * What each wallet of an account holds of each token, `balance` in its smallest unit. `language` chooses the names
   * of offerings where there is a translation. Scope: `wallet.read`.
   */
  balances(
    accountId: string,
    { language, ...options }: ListOptions & { language?: string | undefined } = {},
  ): List<Answers['listWalletBalances']> {
    const path = { accountId }
    return new List((page) => this.#transport.call('listWalletBalances', pageOf(page, path, { language })), options)
  }
}

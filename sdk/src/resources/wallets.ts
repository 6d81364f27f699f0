import type { Call } from '../call.ts'
import type { NewWallet, Responses, Wallet, WalletChallenge, WalletProof } from '../generated/schemas.ts'
import { List } from '../list.ts'
import type { ListOptions, RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import { pageOf } from './page-of.ts'

export class Wallets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Registers a wallet. The investor signs `challenge` with it (`personal_sign`), and you send the signature to
   * `prove`. Scope: `account.update`.
   */
  register(accountId: string, body: NewWallet, options?: WriteOptions): Call<WalletChallenge> {
    return this.#transport.call('registerWallet', { params: { accountId }, body, options })
  }

  /** Returns a message to sign. An EXPIRED or INACTIVE wallet becomes PENDING again. Scope: `account.update`. */
  challenge(accountId: string, walletId: string, options?: WriteOptions): Call<WalletChallenge> {
    return this.#transport.call('challengeWallet', { params: { accountId, walletId }, options })
  }

  /** Sends the signed challenge; the wallet is then ACTIVE and can receive tokens. Scope: `account.update`. */
  prove(accountId: string, walletId: string, body: WalletProof, options?: WriteOptions): Call<Wallet> {
    return this.#transport.call('proveWallet', { params: { accountId, walletId }, body, options })
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

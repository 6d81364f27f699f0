import type { Call } from '../call.ts'
import type { NewWallet, Responses, Wallet, WalletChallenge, WalletProof } from '../generated/schemas.ts'
import type { List } from '../list.ts'
import type { ListOptions, RequestOptions, WriteOptions } from '../options.ts'
import { Resource } from './resource.ts'

export class Wallets extends Resource {
  /**
   * Registers a wallet. The investor signs `challenge` with it (`personal_sign`), and you send the signature to
   * `prove`. Scope: `account.update`.
   */
  register(accountId: string, body: NewWallet, options?: WriteOptions): Call<WalletChallenge> {
    return this.call('registerWallet', { params: { accountId }, body, options })
  }

  /** Returns a message to sign. An EXPIRED or INACTIVE wallet becomes PENDING again. Scope: `account.update`. */
  challenge(accountId: string, walletId: string, options?: WriteOptions): Call<WalletChallenge> {
    return this.call('challengeWallet', { params: { accountId, walletId }, options })
  }

  /** Sends the signed challenge; the wallet is then ACTIVE and can receive tokens. Scope: `account.update`. */
  prove(accountId: string, walletId: string, body: WalletProof, options?: WriteOptions): Call<Wallet> {
    return this.call('proveWallet', { params: { accountId, walletId }, body, options })
  }

  /** One wallet. Scope: `wallet.read`. */
  get(accountId: string, walletId: string, options?: RequestOptions): Call<Wallet> {
    return this.call('getWallet', { params: { accountId, walletId }, options })
  }

  /** The wallets of an account. Scope: `wallet.read`. */
  list(accountId: string, options?: ListOptions): List<Responses['listWallets']> {
    return this.pages('listWallets', options, { params: { accountId } })
  }

  /**
   * The balance of each token in each wallet of an account, in the token's smallest unit. `language` selects the
   * translation of offering names, where one exists. Scope: `wallet.read`.
   */
  balances(
    accountId: string,
    { language, ...options }: ListOptions & { language?: string | undefined } = {},
  ): List<Responses['listWalletBalances']> {
    return this.pages('listWalletBalances', options, { params: { accountId }, query: { language } })
  }
}

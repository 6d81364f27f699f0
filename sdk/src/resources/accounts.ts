import type { Call } from '../call.ts'
import type { Account, AccountChange, Answers, NewAccount } from '../generated/schemas.ts'
import { List } from '../list.ts'
import type { ListOptions, RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import { BenefitingPersons } from './benefiting-persons.ts'
import { pageOf } from './page-of.ts'
import { Wallets } from './wallets.ts'

/** An account is an investor: a person (`INDIVIDUAL`) or a company (`COMPANY`). */
export class Accounts {
  readonly #transport: Transport
  /** The persons behind a company. */
  readonly benefitingPersons: BenefitingPersons
  /** Where an account holds its tokens, and how many. */
  readonly wallets: Wallets

  constructor(transport: Transport) {
    this.#transport = transport
    this.benefitingPersons = new BenefitingPersons(transport)
    this.wallets = new Wallets(transport)
  }

  /**
   * Creates a person (send `individual`) or a company (send `company`). Send `kyc` or `kyb`, not both. Scope:
   * `account.create`.
   */
  create(body: NewAccount, options?: WriteOptions): Call<Account> {
    return this.#transport.call('createAccount', { body, options })
  }

  /** One account with its bank account, tax information and the state of its approval. Scope: `account.read`. */
  get(accountId: string, options?: RequestOptions): Call<Account> {
    return this.#transport.call('getAccount', { params: { accountId }, options })
  }

  /** Replaces the objects that are sent, each as a whole, and leaves the others. Scope: `account.update`. */
  update(accountId: string, body: AccountChange, options?: WriteOptions): Call<Account> {
    return this.#transport.call('updateAccount', { params: { accountId }, body, options })
  }

  /** All accounts of your tenant. Scope: `account.read`. */
  list(options?: ListOptions): List<Answers['listAccounts']> {
    return new List((page) => this.#transport.call('listAccounts', pageOf(page)), options)
  }

  /** What an account has ordered, over all offerings. Scope: `order.read`. */
  orders(accountId: string, options?: ListOptions): List<Answers['listAccountOrders']> {
    return new List((page) => this.#transport.call('listAccountOrders', pageOf(page, { accountId })), options)
  }

  /** How tokens came to and left the wallets of an account. Scope: `wallet.read`. */
  transactions(accountId: string, options?: ListOptions): List<Answers['listTransactions']> {
    return new List((page) => this.#transport.call('listTransactions', pageOf(page, { accountId })), options)
  }
}

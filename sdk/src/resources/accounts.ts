import type { Call } from '../call.ts'
import type { Account, AccountChange, NewAccount, Responses } from '../generated/schemas.ts'
import { List } from '../list.ts'
import type { ListOptions, RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import { BenefitingPersons } from './benefiting-persons.ts'
import { Eligibility } from './eligibility.ts'
import { pageOf } from './page-of.ts'
import { RegisterExtracts } from './register-extracts.ts'
import { Wallets } from './wallets.ts'

/** Accounts of investors: a person (`INDIVIDUAL`) or a company (`COMPANY`). */
export class Accounts {
  readonly #transport: Transport
  /** The beneficial owners of a company account. */
  readonly benefitingPersons: BenefitingPersons
  /** Requirements that an account must meet to buy an offering. */
  readonly eligibility: Eligibility
  /** Extracts of the register about an account, as files. */
  readonly registerExtracts: RegisterExtracts
  /** The wallets of an account and their token balances. */
  readonly wallets: Wallets

  constructor(transport: Transport) {
    this.#transport = transport
    this.benefitingPersons = new BenefitingPersons(transport)
    this.eligibility = new Eligibility(transport)
    this.registerExtracts = new RegisterExtracts(transport)
    this.wallets = new Wallets(transport)
  }

  /**
   * Creates an account for a person (with `individual`) or a company (with `company`). Send `kyc` or `kyb`, not both.
   * Scope: `account.create`.
   */
  create(body: NewAccount, options?: WriteOptions): Call<Account> {
    return this.#transport.call('createAccount', { body, options })
  }

  /** One account with its bank account, tax information and approval status. Scope: `account.read`. */
  get(accountId: string, options?: RequestOptions): Call<Account> {
    return this.#transport.call('getAccount', { params: { accountId }, options })
  }

  /** Replaces each object in the body as a whole and leaves the others unchanged. Scope: `account.update`. */
  update(accountId: string, body: AccountChange, options?: WriteOptions): Call<Account> {
    return this.#transport.call('updateAccount', { params: { accountId }, body, options })
  }

  /** All accounts of your tenant. Scope: `account.read`. */
  list(options?: ListOptions): List<Responses['listAccounts']> {
    return new List((page) => this.#transport.call('listAccounts', pageOf(page)), options)
  }

  /** The orders of an account in all offerings. Scope: `order.read`. */
  orders(accountId: string, options?: ListOptions): List<Responses['listAccountOrders']> {
    return new List((page) => this.#transport.call('listAccountOrders', pageOf(page, { accountId })), options)
  }

  /** Payments of coupons, dividends and redemptions to an account. Scope: `wallet.read`. */
  entitlements(accountId: string, options?: ListOptions): List<Responses['listEntitlements']> {
    return new List((page) => this.#transport.call('listEntitlements', pageOf(page, { accountId })), options)
  }

  /** Token transfers to and from the wallets of an account. Scope: `wallet.read`. */
  transactions(accountId: string, options?: ListOptions): List<Responses['listTransactions']> {
    return new List((page) => this.#transport.call('listTransactions', pageOf(page, { accountId })), options)
  }
}

import type { Call } from '../call.ts'
import type { Account, AccountChange, NewAccount, Responses } from '../generated/schemas.ts'
import type { List } from '../list.ts'
import type { ListOptions, RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import { BenefitingPersons } from './benefiting-persons.ts'
import { Eligibility } from './eligibility.ts'
import { RegisterExtracts } from './register-extracts.ts'
import { Resource } from './resource.ts'
import { Wallets } from './wallets.ts'

/** Accounts of investors: a person (`INDIVIDUAL`) or a company (`COMPANY`). */
export class Accounts extends Resource {
  /** The beneficial owners of a company account. */
  readonly benefitingPersons: BenefitingPersons
  /** Requirements that an account must meet to buy an offering. */
  readonly eligibility: Eligibility
  /** Extracts of the register about an account, as files. */
  readonly registerExtracts: RegisterExtracts
  /** The wallets of an account and their token balances. */
  readonly wallets: Wallets

  constructor(transport: Transport) {
    super(transport)
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
    return this.call('createAccount', { body, options })
  }

  /** One account with its bank account, tax information and approval status. Scope: `account.read`. */
  get(accountId: string, options?: RequestOptions): Call<Account> {
    return this.call('getAccount', { params: { accountId }, options })
  }

  /** Replaces each object in the body as a whole and leaves the others unchanged. Scope: `account.update`. */
  update(accountId: string, body: AccountChange, options?: WriteOptions): Call<Account> {
    return this.call('updateAccount', { params: { accountId }, body, options })
  }

  /** All accounts of your tenant. Scope: `account.read`. */
  list(options?: ListOptions): List<Responses['listAccounts']> {
    return this.pages('listAccounts', options)
  }

  /** The orders of an account in all offerings. Scope: `order.read`. */
  orders(accountId: string, options?: ListOptions): List<Responses['listAccountOrders']> {
    return this.pages('listAccountOrders', options, { params: { accountId } })
  }

  /** Payments of coupons, dividends and redemptions to an account. Scope: `wallet.read`. */
  entitlements(accountId: string, options?: ListOptions): List<Responses['listEntitlements']> {
    return this.pages('listEntitlements', options, { params: { accountId } })
  }

  /** Token transfers to and from the wallets of an account. Scope: `wallet.read`. */
  transactions(accountId: string, options?: ListOptions): List<Responses['listTransactions']> {
    return this.pages('listTransactions', options, { params: { accountId } })
  }
}

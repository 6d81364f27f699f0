import type { Call } from '../call.ts'
import type { BenefitingPerson, NewBenefitingPerson } from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

export class BenefitingPersons {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Adds a person to a company account; an individual account takes none. Scope: `account.update`. */
  create(accountId: string, body: NewBenefitingPerson, options?: WriteOptions): Call<BenefitingPerson> {
    return this.#transport.call('createBenefitingPerson', { params: { accountId }, body, options })
  }

  /** All of them, oldest first: the one list that has no pages. Scope: `account.read`. */
  list(accountId: string, options?: RequestOptions): Call<BenefitingPerson[]> {
    return this.#transport.call('listBenefitingPersons', { params: { accountId }, options })
  }
}

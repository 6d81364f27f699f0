import type { Call } from '../call.ts'
import type { BenefitingPerson, NewBenefitingPerson } from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

export class BenefitingPersons {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Adds a beneficial owner to a company account. Individual accounts have none. Scope: `account.update`. */
  create(accountId: string, body: NewBenefitingPerson, options?: WriteOptions): Call<BenefitingPerson> {
    return this.#transport.call('createBenefitingPerson', { params: { accountId }, body, options })
  }

  /** All beneficial owners, oldest first. This list is not paginated. Scope: `account.read`. */
  list(accountId: string, options?: RequestOptions): Call<BenefitingPerson[]> {
    return this.#transport.call('listBenefitingPersons', { params: { accountId }, options })
  }
}

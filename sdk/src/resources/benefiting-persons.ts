import type { Call } from '../call.ts'
import type { BenefitingPerson, NewBenefitingPerson } from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import { Resource } from './resource.ts'

export class BenefitingPersons extends Resource {
  /** Adds a beneficial owner to a company account. Individual accounts have none. Scope: `account.update`. */
  create(accountId: string, body: NewBenefitingPerson, options?: WriteOptions): Call<BenefitingPerson> {
    return this.call('createBenefitingPerson', { params: { accountId }, body, options })
  }

  /** All beneficial owners, oldest first. This list is not paginated. Scope: `account.read`. */
  list(accountId: string, options?: RequestOptions): Call<BenefitingPerson[]> {
    return this.call('listBenefitingPersons', { params: { accountId }, options })
  }
}

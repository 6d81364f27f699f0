import type { TestInstallation } from '../installation/test-installation.ts'
import { DistributionRows } from '../money/distribution-rows.ts'
import type { OfTenant } from './operator-request.ts'
import { account } from './prepared-sales.ts'

/** Creates a distribution in this status, with one entitlement of a new, approved account. */
export const distributionIn =
  (status: string, entitlement = 'due') =>
  async (installation: TestInstallation, { tenantId }: OfTenant) => {
    const accountId = await account(installation, { tenantId })
    // Files leave out accounts that are not approved.
    await installation.rows(`update cell.account set kyc_status = 'APPROVED', kyb_status = 'APPROVED' where id = $1`, [
      accountId,
    ])
    return new DistributionRows(installation, tenantId).create(accountId, { status, entitlement })
  }

/** Creates a draft that can be calculated. */
export const draftWithRegister = async (installation: TestInstallation, world: OfTenant) => {
  const ids = await distributionIn('DRAFT')(installation, world)
  await new DistributionRows(installation, world.tenantId).register(ids.offeringId)
  return ids
}

import { ChainRows } from '../data/chain-rows.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { OfTenant } from './operator-request.ts'
import { orderIn } from './prepared-sales.ts'

export const opIn =
  (state: string) =>
  async (installation: TestInstallation, { tenantId }: OfTenant): Promise<{ opId: string }> => ({
    opId: await new ChainRows(installation, tenantId).op(state),
  })

export const token = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  offeringId: await new ChainRows(installation, tenantId).token(),
})

export const stoppedToken = async (installation: TestInstallation, world: OfTenant) => {
  const { offeringId } = await token(installation, world)
  await new ChainRows(installation, world.tenantId).stopMinting(offeringId)
  return { offeringId }
}

export const orderOnMintHold = async (installation: TestInstallation, { tenantId }: OfTenant) => {
  const { orderId } = await orderIn('READYTOMINT')(installation, { tenantId })
  await new ChainRows(installation, tenantId).putOnHold(orderId)
  return { orderId }
}

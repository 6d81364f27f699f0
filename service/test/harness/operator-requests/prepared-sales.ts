import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { createOrder } from '../../../src/sales/orders/create-order.ts'
import type { OrderStatus } from '../../../src/sales/orders/order-status.ts'
import { DirectOperations } from '../callers/operations.ts'
import { OperatorClient } from '../callers/operator-client.ts'
import { WalletOwner } from '../chain/wallet-owner.ts'
import { company } from '../data/bodies.ts'
import { createDocument } from '../data/documents.ts'
import { Fixtures } from '../data/fixtures.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { createQueuedCheck, createTestKycProvider } from '../servers/kyc-provider.ts'
import type { OfTenant, OperatorWorld } from './operator-request.ts'

export async function account(installation: TestInstallation, { tenantId }: OfTenant): Promise<string> {
  const direct = new DirectOperations(installation, tenantId)
  return (await direct.run(createAccount, { body: company })).id
}

export const newAccount = async (installation: TestInstallation, world: OfTenant) => ({
  accountId: await account(installation, world),
})

export const kycProvider = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  kycProviderId: (await createTestKycProvider(installation, tenantId)).id,
})

export const queuedCheck = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  checkId: (await createQueuedCheck(installation, { tenantId, accountId: await account(installation, { tenantId }) }))
    .checkId,
})

export const walletIn =
  (status: string) =>
  async (installation: TestInstallation, { tenantId }: OfTenant): Promise<{ accountId: string; walletId: string }> => {
    const accountId = await account(installation, { tenantId })
    return { accountId, walletId: await new Fixtures(installation).wallet(tenantId, accountId, { status }) }
  }

export const wallet = walletIn('ACTIVE')

/** Creates a wallet with a challenge, and signs it as the owner. */
export async function challenged(installation: TestInstallation, { tenantId }: OfTenant, api: RunningApi) {
  const accountId = await account(installation, { tenantId })
  const owner = new WalletOwner()
  const operator = await OperatorClient.create(installation, api, tenantId)
  const { id: walletId, challenge: message } = await owner.register(operator, accountId)
  return { accountId, walletId, message, signature: await owner.sign(message) }
}

export const orderIn =
  (status: OrderStatus) =>
  async (installation: TestInstallation, { tenantId }: OfTenant): Promise<{ orderId: string }> => {
    const fixtures = new Fixtures(installation)
    const offeringId = await fixtures.offering(tenantId)
    const body = { account_id: await account(installation, { tenantId }), units: '1000000000' }
    const direct = new DirectOperations(installation, tenantId)
    const { id: orderId } = await direct.run(createOrder, { params: { offeringId }, body })
    await fixtures.bringTo(tenantId, orderId, status)
    return { orderId }
  }

export const draft = async (installation: TestInstallation, { tenantId }: OperatorWorld) => ({
  offeringId: await new Fixtures(installation).offering(tenantId, { status: 'DRAFT' }),
})

export const openOffering = async (installation: TestInstallation, { tenantId }: OperatorWorld) => ({
  offeringId: await new Fixtures(installation).offering(tenantId),
})

export const pausedOffering = async (installation: TestInstallation, world: OperatorWorld) => {
  const { offeringId } = await openOffering(installation, world)
  const api = await installation.operatorApi()
  await api.call(world.tenantId, 'POST', `/offerings/${offeringId}/pause`, { reason: 'for a test' })
  return { offeringId }
}

export const missedSoftCap = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  offeringId: await new Fixtures(installation).offering(tenantId, { status: 'CLOSED', soft_cap_amount: '1000' }),
})

export const document = async (installation: TestInstallation, { tenantId, accountId }: OperatorWorld) => ({
  documentId: await createDocument(installation, { tenantId, accountId }),
})

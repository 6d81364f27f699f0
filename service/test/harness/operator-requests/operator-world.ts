import { ChainRows } from '../data/chain-rows.ts'
import { createDocument } from '../data/documents.ts'
import { Fixtures } from '../data/fixtures.ts'
import { TransferRows } from '../data/transfer-rows.ts'
import { WebhookRows } from '../data/webhook-rows.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { reversedEntry } from '../money/camt053.ts'
import { DistributionRows } from '../money/distribution-rows.ts'
import { createUnassignedPayment } from '../money/incoming-payment.ts'
import { createQueuedCheck } from '../servers/kyc-provider.ts'
import { exportOf } from './console-requests.ts'
import type { OperatorWorld } from './operator-request.ts'
import { proposedWith } from './prepared-access.ts'
import { booked, payout, provider } from './prepared-money.ts'
import { wallet } from './prepared-sales.ts'

/** Creates a tenant with one resource of each kind. */
export async function createOperatorWorld(installation: TestInstallation, name: string): Promise<OperatorWorld> {
  const tenantId = await installation.createTenant(name)
  const { clientId } = await installation.issueCredential(tenantId)
  const { userId, token: userToken, tokenId, sessionId } = await installation.createOperator(tenantId)
  const offeringId = await new Fixtures(installation).offering(tenantId, { status: 'DRAFT' })
  const world = { tenantId, offeringId, clientId, userId, tokenId, sessionId }
  const { accountId, walletId } = await wallet(installation, world)
  const { orderId, refundId, payoutId } = await payout(installation, world)
  const chain = new ChainRows(installation, tenantId)
  const [opId, { actionId }] = [await chain.op('SIGNED'), await chain.action()]
  const { endpointId, eventId } = await new WebhookRows(installation, tenantId).createDelivery()
  const paymentId = await createUnassignedPayment(installation, tenantId)
  const { providerId } = await provider(installation, world)
  const kyc = await createQueuedCheck(installation, { tenantId, accountId })
  const { bookedPaymentId } = await booked(installation, world)
  const entry = await reversedEntry(installation, tenantId)
  const approvals = await proposedWith(installation, world, userToken)
  const { exportId } = await exportOf(installation, world)
  const documentId = await createDocument(installation, { tenantId, accountId })
  const { offeringId: _, ...distribution } = await new DistributionRows(installation, tenantId).create(accountId)
  const { offeringId: _token, ...transfers } = await new TransferRows(installation, tenantId).create()
  const money = { refundId, payoutId, paymentId, bookedPaymentId, providerId, exportId, ...entry }
  const ids = { accountId, walletId, orderId, documentId, opId, actionId, endpointId, eventId }
  return { ...world, ...approvals, ...money, ...kyc, ...distribution, ...transfers, ...ids }
}

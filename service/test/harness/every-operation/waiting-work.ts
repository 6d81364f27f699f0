import { approvalRisks } from '../../../src/sales/accounts/approval-risks.ts'
import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { createOrder } from '../../../src/sales/orders/create-order.ts'
import type { OrderStatus } from '../../../src/sales/orders/order-status.ts'
import { storeSignerStatus } from '../../../src/tokens/signers/signer-status.sql.ts'
import { DirectOperations } from '../callers/operations.ts'
import { company } from '../data/bodies.ts'
import { ChainRows } from '../data/chain-rows.ts'
import { Fixtures } from '../data/fixtures.ts'
import { TransferRows } from '../data/transfer-rows.ts'
import { WebhookRows } from '../data/webhook-rows.ts'
import type { OperatorApi } from '../installation/operator-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { reversedEntry, statementAfterGap } from '../money/camt053.ts'
import { failByHand, retryByHand } from '../money/fail-refund.ts'
import { createUnassignedPayment } from '../money/incoming-payment.ts'
import { createQueuedCheck } from '../servers/kyc-provider.ts'

interface Scene {
  installation: TestInstallation
  api: OperatorApi
  tenantId: string
}

/** A piece of work: the resource to open, and a way to end the work. */
interface WaitingWork {
  target: { type: string; id: string }
  /** Missing if the work is not about money. */
  sum?: { currency: string; amount: string }
  finish: () => Promise<unknown>
}

const run = ({ installation }: Scene, text: string, values: unknown[]) => installation.rows(text, values)

async function newAccount({ installation, tenantId }: Scene, change = {}): Promise<string> {
  const direct = new DirectOperations(installation, tenantId)
  return (await direct.run(createAccount, { body: { ...company, ...change } })).id
}

/** Creates an order over 125.00 EUR in this status. */
export async function newOrder(scene: Scene, status: OrderStatus, terms = {}): Promise<string> {
  const { installation, tenantId } = scene
  const fixtures = new Fixtures(installation)
  const offeringId = await fixtures.offering(tenantId, terms)
  const body = { account_id: await newAccount(scene), units: '1000000000' }
  const { id } = await new DirectOperations(installation, tenantId).run(createOrder, { params: { offeringId }, body })
  await fixtures.bringTo(tenantId, id, status)
  return id
}

/** Creates a refund of a late payment, after these moves. */
export async function newRefund(scene: Scene, ...moves: ('send' | 'fail')[]): Promise<{ id: string; orderId: string }> {
  const { installation, api, tenantId } = scene
  const orderId = await newOrder(scene, 'NOPAYMENT')
  await new Fixtures(installation).pay(tenantId, orderId)
  const { results } = await api.call(tenantId, 'GET', `/refunds?order_id=${orderId}`)
  const { id } = results[0]
  for (const move of moves)
    if (move === 'fail') await failByHand(installation, { tenantId, refundId: id })
    else await api.call(tenantId, 'POST', `/refunds/${id}/send`, { reference: 'RUN-1' })
  return { id, orderId }
}

const whole = { currency: 'EUR', amount: '125.00' }

/** One piece of work of each kind. */
export const waitingWork: Readonly<Record<string, (scene: Scene) => Promise<WaitingWork>>> = {
  approval: async ({ installation, api, tenantId }) => {
    const { token } = await installation.createOperator(tenantId)
    const offeringId = await new ChainRows(installation, tenantId).token()
    const body = { kind: 'PAUSE', reason: 'for a test' }
    const { approval_id: id } = await api.callWith(token, 'POST', `/offerings/${offeringId}/token-actions`, body)
    return {
      target: { type: 'approval', id },
      finish: () => api.call(tenantId, 'POST', `/approvals/${id}/reject`, {}),
    }
  },
  secret_expiring: async ({ installation, api, tenantId }) => {
    const { clientId } = await installation.issueCredential(tenantId)
    await api.call(tenantId, 'POST', `/credentials/${clientId}/rotate`, { overlap_hours: 24 })
    return {
      target: { type: 'credential', id: clientId },
      finish: () => api.call(tenantId, 'POST', `/credentials/${clientId}/disable`),
    }
  },
  approval_pending: async (scene) => {
    const id = await newAccount(scene, { kyb: { status: 'PENDING' } })
    const decision = { kyb: 'APPROVED', reason: 'register checked', acknowledged: approvalRisks }
    return {
      target: { type: 'account', id },
      finish: () => scene.api.call(scene.tenantId, 'POST', `/accounts/${id}/decision`, decision),
    }
  },
  kyc_check_queued: async (scene) => {
    const { installation, api, tenantId } = scene
    const id = await newAccount(scene)
    const { checkId } = await createQueuedCheck(installation, { tenantId, accountId: id })
    return {
      target: { type: 'account', id },
      finish: () => api.call(tenantId, 'POST', `/kyc-checks/${checkId}/dismiss`, { reason: 'another person' }),
    }
  },
  order_to_accept: async (scene) => {
    const { installation, api, tenantId } = scene
    const id = await newOrder(scene, 'ORDERED', { acceptance_required: true })
    await new Fixtures(installation).pay(tenantId, id)
    return {
      target: { type: 'order', id },
      sum: whole,
      finish: () => api.call(tenantId, 'POST', `/orders/${id}/accept`),
    }
  },
  order_on_hold: async (scene) => {
    const { installation, api, tenantId } = scene
    const id = await newOrder(scene, 'READYTOMINT')
    await new ChainRows(installation, tenantId).putOnHold(id)
    return {
      target: { type: 'order', id },
      sum: whole,
      finish: () => api.call(tenantId, 'POST', `/orders/${id}/release`),
    }
  },
  late_payment: async (scene) => {
    const { orderId } = await newRefund(scene)
    return {
      target: { type: 'order', id: orderId },
      sum: whole,
      finish: () => scene.api.call(scene.tenantId, 'POST', `/orders/${orderId}/accept-late-payment`),
    }
  },
  part_paid_due_soon: async (scene) => {
    const { api, tenantId } = scene
    const id = await newOrder(scene, 'ORDERED')
    const payment = { amount: '25.00', currency: 'EUR', reference: 'part', received_at: '2026-07-02T10:00:00.000Z' }
    await api.call(tenantId, 'POST', `/orders/${id}/payments`, payment)
    await run(scene, `update cell.token_order set payment_due_at = now() + interval '1 day' where id = $1`, [id])
    const later = { payment_due_at: '2099-01-01T00:00:00.000Z' }
    return {
      target: { type: 'order', id },
      sum: { currency: 'EUR', amount: '100.00' },
      finish: () => api.call(tenantId, 'POST', `/orders/${id}/extend`, later),
    }
  },
  refund_due: async (scene) => {
    const { id } = await newRefund(scene)
    return {
      target: { type: 'refund', id },
      sum: whole,
      finish: () => scene.api.call(scene.tenantId, 'POST', '/payouts', {}),
    }
  },
  refund_failed: async (scene) => {
    const { id } = await newRefund(scene, 'send', 'fail')
    return {
      target: { type: 'refund', id },
      sum: whole,
      finish: () => retryByHand(scene.installation, { tenantId: scene.tenantId, refundId: id }),
    }
  },
  refund_unsettled: async (scene) => {
    const { id } = await newRefund(scene, 'send')
    await run(scene, `update cell.refund set changed_at = now() - interval '6 days' where id = $1`, [id])
    return {
      target: { type: 'refund', id },
      sum: whole,
      finish: () => scene.api.call(scene.tenantId, 'POST', `/refunds/${id}/settle`),
    }
  },
  unassigned_payment: async ({ installation, api, tenantId }) => {
    const id = await createUnassignedPayment(installation, tenantId)
    return {
      target: { type: 'unassigned_payment', id },
      sum: whole,
      finish: () => api.call(tenantId, 'POST', `/unassigned-payments/${id}/dismiss`, { reason: 'interest' }),
    }
  },
  statement_entry: async ({ installation, api, tenantId }) => {
    await new Fixtures(installation).offering(tenantId)
    const { statementId, entryId } = await reversedEntry(installation, tenantId)
    const path = `/statements/${statementId}/entries/${entryId}/resolve`
    return {
      target: { type: 'statement', id: statementId },
      sum: { currency: 'EUR', amount: '1.00' },
      finish: () => api.call(tenantId, 'POST', path, { resolution: 'spoke to the bank' }),
    }
  },
  statement_gap: async ({ installation, api, tenantId }) => {
    await new Fixtures(installation).offering(tenantId)
    const { statementId } = await statementAfterGap(installation, tenantId)
    const resolution = { resolution: 'the account was moved' }
    return {
      target: { type: 'statement', id: statementId },
      finish: () => api.call(tenantId, 'POST', `/statements/${statementId}/resolve-gap`, resolution),
    }
  },
  chain_op_failed: async ({ installation, api, tenantId }) => {
    const id = await new ChainRows(installation, tenantId).op('REVERTED')
    return {
      target: { type: 'chain_op', id },
      finish: () => api.call(tenantId, 'POST', `/chain-ops/${id}/retry`),
    }
  },
  minting_stopped: async (scene) => {
    const chain = new ChainRows(scene.installation, scene.tenantId)
    const id = await chain.token()
    await chain.stopMinting(id)
    return {
      target: { type: 'offering', id },
      finish: () => run(scene, 'update cell.offering set minting_stopped = null where id = $1', [id]),
    }
  },
  token_rejected: async (scene) => {
    const { installation, api, tenantId } = scene
    const id = await new Fixtures(installation).offering(tenantId, { status: 'DRAFT' })
    await run(scene, `update cell.offering set token_rejection = 'paused' where id = $1`, [id])
    const other = { address: '0x52908400098527886E0F7030069857D2E4169EE7' }
    return {
      target: { type: 'offering', id },
      finish: () => api.call(tenantId, 'POST', `/offerings/${id}/attach-token`, other),
    }
  },
  transfer_to_approve: async ({ installation, api, tenantId }) => {
    const { transferId: id } = await new TransferRows(installation, tenantId).create()
    await installation.rows('delete from cell.unrequested_transfer where tenant_id = $1', [tenantId])
    return {
      target: { type: 'transfer', id },
      finish: () => api.call(tenantId, 'POST', `/transfers/${id}/approve`),
    }
  },
  unrequested_transfer: async ({ installation, api, tenantId }) => {
    const { unrequestedTransferId: id } = await new TransferRows(installation, tenantId).create({ status: 'READY' })
    const judgement = { verdict: 'accepted', note: 'in order' }
    return {
      target: { type: 'unrequested_transfer', id },
      finish: () => api.call(tenantId, 'POST', `/unrequested-transfers/${id}/judge`, judgement),
    }
  },
  gas_low: async ({ installation, tenantId }) => {
    await new ChainRows(installation, tenantId).signer()
    const direct = new DirectOperations(installation, tenantId)
    const seen = { balanceWei: 1n, nonceLatest: 0, noncePending: 0 }
    const read = (isGasLow: boolean) => () =>
      direct.write((tx) => storeSignerStatus(tx, { tenantId, chain: 'anvil' }, { ...seen, isGasLow }, new Date()))
    await read(true)()
    return { target: { type: 'chain', id: 'anvil' }, finish: read(false) }
  },
  indexer_behind: async (scene) => {
    await new ChainRows(scene.installation, scene.tenantId).signer()
    const stored = `
      insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number, changed_at)
      values ('anvil', 1, '0x', 1, $1) on conflict (chain) do update set changed_at = excluded.changed_at`
    await run(scene, stored, [new Date(Date.now() - 3_600_000)])
    return { target: { type: 'chain', id: 'anvil' }, finish: () => run(scene, stored, [new Date()]) }
  },
  webhook_failing: async (scene) => {
    const { installation, api, tenantId } = scene
    const { endpointId: id } = await new WebhookRows(installation, tenantId).createDelivery()
    await run(scene, 'update cell.webhook_endpoint set failures = 1, failing_since = now() where id = $1', [id])
    return {
      target: { type: 'webhook_endpoint', id },
      finish: () => api.call(tenantId, 'POST', `/webhook-endpoints/${id}/disable`),
    }
  },
}

import { createAccount } from '../../src/sales/accounts/create-account.ts'
import { createOrder } from '../../src/sales/orders/create-order.ts'
import type { OrderStatus } from '../../src/sales/orders/order-status.ts'
import { company, newOffering } from './bodies.ts'
import { camt053, reversedEntry, statementAfterGap } from './camt053.ts'
import { ChainRows } from './chain-rows.ts'
import { Fixtures } from './fixtures.ts'
import { createUnassignedPayment } from './incoming-payment.ts'
import { DirectOperations } from './operations.ts'
import { OperatorClient } from './operator-client.ts'
import { createProvider } from './payment-provider.ts'
import type { RunningApi, TestInstallation, TestOperator } from './service.ts'
import { WalletOwner } from './wallet-owner.ts'
import { WebhookRows } from './webhook-rows.ts'

/** The id of one resource of each kind in the operator API, by the name of its path parameter. */
export interface OperatorWorld extends Record<string, string> {
  tenantId: string
  offeringId: string
  clientId: string
  userId: string
  tokenId: string
  sessionId: string
  approvalId: string
  directoryApprovalId: string
  accountId: string
  walletId: string
  orderId: string
  refundId: string
  payoutId: string
  opId: string
  actionId: string
  endpointId: string
  eventId: string
  paymentId: string
  providerId: string
  statementId: string
  entryId: string
}

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
  const entry = await reversedEntry(installation, tenantId)
  const approvals = await proposedWith(installation, world, userToken)
  const money = { refundId, payoutId, paymentId, providerId, ...entry }
  return { ...world, ...approvals, accountId, walletId, orderId, ...money, opId, actionId, endpointId, eventId }
}

interface OperatorRequest {
  /** A valid body, if the operation has one. */
  body?: (world: OperatorWorld) => unknown
  /** Headers for a body that is not JSON. */
  headers?: Record<string, string>
  /** Creates resources for an operation that succeeds only once or needs a certain state. Returns their ids. */
  prepare?: (
    installation: TestInstallation,
    world: OperatorWorld,
    api: RunningApi,
    caller: TestOperator,
  ) => Promise<Record<string, string>>
  /** Which resource of the world a path parameter means, if it is not the one of that name. */
  idsOf?: (world: Readonly<Record<string, string>>) => Record<string, string>
  /** Users may run it for themselves, and those with the duty team for all users. */
  isAllowedForSelf?: true
}

type OfTenant = { tenantId: string }

async function account(installation: TestInstallation, { tenantId }: OfTenant): Promise<string> {
  const direct = new DirectOperations(installation, tenantId)
  return (await direct.run(createAccount, { body: company })).id
}

const walletIn =
  (status: string) =>
  async (installation: TestInstallation, { tenantId }: OfTenant): Promise<{ accountId: string; walletId: string }> => {
    const accountId = await account(installation, { tenantId })
    return { accountId, walletId: await new Fixtures(installation).wallet(tenantId, accountId, { status }) }
  }
const wallet = walletIn('ACTIVE')

/** A wallet with a challenge, and the signature of its owner. */
async function challenged(installation: TestInstallation, { tenantId }: OfTenant, api: RunningApi) {
  const accountId = await account(installation, { tenantId })
  const owner = new WalletOwner()
  const operator = await OperatorClient.create(installation, api, tenantId)
  const { id: walletId, challenge: message } = await owner.register(operator, accountId)
  return { accountId, walletId, message, signature: await owner.sign(message) }
}

const orderIn =
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

/** A refund of an order that was paid after its deadline, after the given actions. */
const refundAfter =
  (...actions: ('send' | 'fail')[]) =>
  async (installation: TestInstallation, { tenantId }: OfTenant): Promise<{ orderId: string; refundId: string }> => {
    const { orderId } = await orderIn('NOPAYMENT')(installation, { tenantId })
    await new Fixtures(installation).pay(tenantId, orderId)
    const api = await installation.operatorApi()
    const { results } = await api.call(tenantId, 'GET', `/refunds?order_id=${orderId}`)
    const refundId = results[0].id
    const bodies = { send: { reference: 'RUN-1' }, fail: { failure: 'AC04' } }
    for (const name of actions) await api.call(tenantId, 'POST', `/refunds/${refundId}/${name}`, bodies[name])
    return { orderId, refundId }
  }
const refund = refundAfter()

/** An open payout with a refund in it. */
async function payout(installation: TestInstallation, { tenantId }: OfTenant) {
  const { orderId, refundId } = await refund(installation, { tenantId })
  const api = await installation.operatorApi()
  const { id: payoutId } = await api.call(tenantId, 'POST', '/payouts', {})
  return { orderId, refundId, payoutId }
}

const unassigned = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  paymentId: await createUnassignedPayment(installation, tenantId),
})

const provider = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  providerId: (await createProvider(installation, tenantId)).id,
})

const opIn =
  (state: string) =>
  async (installation: TestInstallation, { tenantId }: OfTenant): Promise<{ opId: string }> => ({
    opId: await new ChainRows(installation, tenantId).op(state),
  })
const action = (installation: TestInstallation, { tenantId }: OfTenant) =>
  new ChainRows(installation, tenantId).action()
const token = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  offeringId: await new ChainRows(installation, tenantId).token(),
})
const stoppedToken = async (installation: TestInstallation, world: OfTenant) => {
  const { offeringId } = await token(installation, world)
  await new ChainRows(installation, world.tenantId).stopMinting(offeringId)
  return { offeringId }
}
const orderOnMintHold = async (installation: TestInstallation, { tenantId }: OfTenant) => {
  const { orderId } = await orderIn('READYTOMINT')(installation, { tenantId })
  await new ChainRows(installation, tenantId).putOnHold(orderId)
  return { orderId }
}

const draft = async (installation: TestInstallation, { tenantId }: OperatorWorld) => ({
  offeringId: await new Fixtures(installation).offering(tenantId, { status: 'DRAFT' }),
})
const openOffering = async (installation: TestInstallation, { tenantId }: OperatorWorld) => ({
  offeringId: await new Fixtures(installation).offering(tenantId),
})
const credential = async (installation: TestInstallation, { tenantId }: OperatorWorld) => ({
  clientId: (await installation.issueCredential(tenantId)).clientId,
})
const admin = async (installation: TestInstallation, { tenantId }: OfTenant) => {
  const { userId, tokenId, sessionId } = await installation.createOperator(tenantId)
  return { userId, tokenId, sessionId }
}
const callerThemself: OperatorRequest['prepare'] = async (_installation, _world, _api, { userId }) => ({ userId })

/** A change in the cell and one in the directory, both of which wait for a second person. */
async function proposedWith(installation: TestInstallation, world: OfTenant, proposerToken: string) {
  const { offeringId } = await stoppedToken(installation, world)
  const api = await installation.operatorApi()
  const propose = async (path: string, body: object): Promise<string> =>
    (await api.callWith(proposerToken, 'POST', path, body)).approval_id
  const invited = { name: 'Grace', email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }
  return {
    approvalId: await propose(`/offerings/${offeringId}/resume-minting`, { reason: 'difference explained' }),
    directoryApprovalId: await propose('/users', invited),
  }
}
const proposedByAnother = async (installation: TestInstallation, world: OfTenant) =>
  proposedWith(installation, world, (await installation.createOperator(world.tenantId)).token)
const proposedByCaller: OperatorRequest['prepare'] = (installation, world, _api, { token: callerToken }) =>
  proposedWith(installation, world, callerToken)
const inDirectory: OperatorRequest['idsOf'] = ({ directoryApprovalId }) =>
  directoryApprovalId === undefined ? {} : { approvalId: directoryApprovalId }

const endpoint = (installation: TestInstallation, { tenantId }: OfTenant) =>
  new WebhookRows(installation, tenantId).createDelivery()
const disabledEndpoint = async (installation: TestInstallation, { tenantId }: OfTenant) => {
  const rows = new WebhookRows(installation, tenantId)
  const { endpointId } = await rows.createDelivery()
  await rows.disable(endpointId)
  return { endpointId }
}

/** A valid request of each operation, by its id. */
export const operatorRequests: Readonly<Record<string, OperatorRequest>> = {
  createOffering: { body: () => newOffering },
  listOfferings: {},
  getOffering: {},
  updateOffering: { body: () => ({ name: crypto.randomUUID() }), prepare: draft },
  openOffering: { prepare: draft },
  closeOffering: { prepare: openOffering },
  searchAccounts: { body: () => ({ q: 'example' }) },
  getAccount: {},
  listBenefitingPersons: {},
  decideAccount: {
    body: () => ({ kyb: 'APPROVED', reason: 'register checked' }),
    prepare: async (installation, world) => ({ accountId: await account(installation, world) }),
  },
  registerWallet: { body: () => new WalletOwner().body() },
  listWallets: {},
  getWallet: {},
  challengeWallet: { prepare: walletIn('INACTIVE') },
  proveWallet: {
    body: ({ message = 'none', signature = `0x${'00'.repeat(65)}` }) => ({ message, signature }),
    prepare: challenged,
  },
  suspendWallet: { body: () => ({ reason: 'lost' }), prepare: wallet },
  resumeWallet: { body: () => ({ reason: 'found' }), prepare: walletIn('SUSPENDED') },
  retireWallet: { body: () => ({ reason: 'replaced' }), prepare: wallet },
  listOrders: {},
  getOrder: {},
  acceptOrder: { prepare: orderIn('ORDERED') },
  extendPaymentDeadline: {
    body: () => ({ payment_due_at: '2099-01-01T00:00:00.000Z' }),
    prepare: orderIn('NOPAYMENT'),
  },
  cancelOrder: { body: () => ({ reason: 'requested by the buyer' }), prepare: orderIn('PAID') },
  releaseMintHold: { prepare: orderOnMintHold },
  recordPayment: {
    body: () => ({
      amount: '125.00',
      currency: 'EUR',
      reference: crypto.randomUUID(),
      received_at: '2026-07-02T10:00:00.000Z',
    }),
  },
  listPayments: {},
  listUnassignedPayments: {},
  assignPayment: { body: ({ orderId }) => ({ order_id: orderId }), prepare: unassigned },
  dismissUnassignedPayment: { body: () => ({ reason: 'interest of the bank' }), prepare: unassigned },
  acceptLatePayment: { prepare: refund },
  listRefunds: {},
  getRefund: {},
  sendRefund: { body: () => ({ reference: 'RUN-1' }), prepare: refund },
  settleRefund: { prepare: refundAfter('send') },
  failRefund: { body: () => ({ failure: 'AC04 closed account' }), prepare: refundAfter('send') },
  retryRefund: { prepare: refundAfter('send', 'fail') },
  createPaymentProvider: { body: () => ({ kind: 'standard', name: `p-${crypto.randomUUID().slice(0, 8)}` }) },
  listPaymentProviders: {},
  disablePaymentProvider: { prepare: provider },
  rotatePaymentProvider: { body: () => ({}), prepare: provider },
  createPayout: { body: () => ({}), prepare: refund },
  listPayouts: {},
  getPayout: {},
  discardPayout: { prepare: payout },
  downloadPayout: { prepare: payout },
  importStatement: {
    body: () => camt053({ entries: [{ amount: '1.00' }] }),
    headers: { 'content-type': 'application/xml' },
  },
  listStatements: {},
  getStatement: {},
  listStatementEntries: {},
  resolveStatementEntry: {
    body: () => ({ resolution: 'spoke to the bank' }),
    prepare: (installation, { tenantId }) => reversedEntry(installation, tenantId),
  },
  resolveStatementGap: {
    body: () => ({ resolution: 'the account was moved' }),
    prepare: (installation, { tenantId }) => statementAfterGap(installation, tenantId),
  },
  listChainOps: {},
  getChainOp: {},
  attachTransaction: {
    body: () => ({ transaction_hash: `0x${crypto.randomUUID().replaceAll('-', '').padEnd(64, '0')}` }),
    prepare: opIn('SIGNED'),
  },
  bumpChainOp: { prepare: opIn('SIGNED') },
  cancelChainOp: { prepare: opIn('QUEUED') },
  retryChainOp: { prepare: opIn('REVERTED') },
  attachToken: { body: () => ({ address: '0x52908400098527886E0F7030069857D2E4169EE7' }), prepare: draft },
  listHolders: {},
  resumeMinting: { body: () => ({ reason: 'difference explained' }), prepare: stoppedToken },
  proposeTokenAction: { body: () => ({ kind: 'PAUSE', reason: 'the registry moves' }), prepare: token },
  listTokenActions: {},
  getTokenAction: {},
  confirmTokenAction: { prepare: action },
  rejectTokenAction: { prepare: action },
  createCredential: { body: () => ({ name: 'Order desk', scopes: ['offering.read'] }) },
  listCredentials: {},
  getCredential: {},
  updateCredential: { body: () => ({ name: crypto.randomUUID(), scopes: ['order.read'] }), prepare: credential },
  rotateCredential: { body: () => ({ overlap_hours: 1 }), prepare: credential },
  disableCredential: { prepare: credential },
  createWebhookEndpoint: { body: () => ({ url: 'https://example.com/webhooks', event_types: ['order.paid'] }) },
  listWebhookEndpoints: {},
  getWebhookEndpoint: {},
  updateWebhookEndpoint: { body: () => ({ description: crypto.randomUUID() }), prepare: endpoint },
  disableWebhookEndpoint: { prepare: endpoint },
  enableWebhookEndpoint: { prepare: disabledEndpoint },
  pingWebhookEndpoint: { prepare: endpoint },
  resendWebhookEvents: { body: () => ({ since: '2026-07-02T10:00:00.000Z' }), prepare: endpoint },
  rotateWebhookSecret: { body: () => ({}), prepare: endpoint },
  listWebhookDeliveries: {},
  resendWebhookDelivery: { prepare: endpoint },
  inviteUser: {
    body: () => ({ name: 'Grace', email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }),
  },
  listUsers: {},
  updateUser: { body: () => ({ role: 'viewer' }), prepare: admin },
  removeUser: { prepare: admin },
  createToken: {
    body: () => ({ name: 'My laptop', expires_in_days: 90 }),
    prepare: callerThemself,
    isAllowedForSelf: true,
  },
  listTokens: {},
  revokeToken: { prepare: admin, isAllowedForSelf: true },
  listSessions: { isAllowedForSelf: true },
  revokeSession: { prepare: admin, isAllowedForSelf: true },
  listApprovals: {},
  getApproval: {},
  confirmApproval: { prepare: proposedByAnother },
  rejectApproval: { prepare: proposedByAnother },
  withdrawApproval: { prepare: proposedByCaller },
  listDirectoryApprovals: {},
  getDirectoryApproval: { idsOf: inDirectory },
  confirmDirectoryApproval: { prepare: proposedByAnother, idsOf: inDirectory },
  rejectDirectoryApproval: { prepare: proposedByAnother, idsOf: inDirectory },
  withdrawDirectoryApproval: { prepare: proposedByCaller, idsOf: inDirectory },
  getApprovalPolicies: {},
  setApprovalPolicy: { body: () => ({ policy: 'manual_payment', second_person: 'never', from_minor: null }) },
  getDutyPairs: {},
  setDutyPairs: { body: () => ({ forbidden: [] }) },
  listAudit: {},
  listDirectoryAudit: {},
}

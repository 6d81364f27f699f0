// Valid requests of the operations of integrators, by operation id.

import { WalletOwner } from '../chain/wallet-owner.ts'
import { benefitingPerson, individual } from '../data/bodies.ts'
import { requireDocumentAndAnswers } from '../data/eligibility.ts'
import { Fixtures } from '../data/fixtures.ts'
import { TransferRows } from '../data/transfer-rows.ts'
import type { World } from '../data/world.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** A valid body for each operation that has one. */
export const integratorBodies: Record<string, (world: World) => unknown> = {
  createAccount: () => individual,
  updateAccount: () => ({ communication: { email: 'new@example.com', email_confirmed: false } }),
  createBenefitingPerson: () => benefitingPerson,
  registerWallet: () => new WalletOwner().body(),
  proveWallet: () => ({ message: 'another message', signature: `0x${'00'.repeat(65)}` }),
  acceptDocument: () => ({ sha256: '00'.repeat(32) }),
  answerQuestionnaire: () => ({ version: 1, answers: {} }),
  createTransfer: ({ offeringId, walletId }) => ({
    offering_id: offeringId,
    sender_wallet_id: walletId,
    receiver_wallet_id: crypto.randomUUID(),
    units: '1',
    reason: 'gift',
  }),
  createRegisterExtract: ({ offeringId }) => ({ offering_id: offeringId, format: 'pdf' }),
  createOrder: ({ accountId }) => ({ account_id: accountId, units: '1000' }),
}

/** Each request has its own wallet and account: a wallet can be proven once, and few may wait in one account. */
export const integratorPreparations: Record<string, Preparation> = {
  acceptDocument: async ({ tenantId }, _, installation) => {
    const offeringId = await new Fixtures(installation).offering(tenantId)
    const { documentId, sha256 } = await requireDocumentAndAnswers(installation, { tenantId, offeringId })
    return { ids: { offeringId, documentId }, body: { sha256 } }
  },
  answerQuestionnaire: async ({ tenantId }, _, installation) => {
    const offeringId = await new Fixtures(installation).offering(tenantId)
    const { version } = await requireDocumentAndAnswers(installation, { tenantId, offeringId })
    return { ids: { offeringId }, body: { version, answers: { experience: 'often', can_lose: true } } }
  },
  createTransfer: async ({ tenantId }, _, installation) => {
    const { offeringId, senderWalletId, receiverWalletId } = await new TransferRows(installation, tenantId).wallets()
    const wallets = { sender_wallet_id: senderWalletId, receiver_wallet_id: receiverWalletId }
    return { ids: {}, body: { offering_id: offeringId, ...wallets, units: '1', reason: 'gift' } }
  },
  challengeWallet: async (world, api) => ({ ids: (await pendingWallet(world, api)).ids }),
  proveWallet: async (world, api) => {
    const { ids, message, owner } = await pendingWallet(world, api)
    return { ids, body: { message, signature: await owner.sign(message) } }
  },
}

type Preparation = (world: World, api: RunningApi, installation: TestInstallation) => Promise<Prepared>

interface Prepared {
  ids: Partial<World> & { documentId?: string }
  body?: unknown
}

async function pendingWallet({ token }: World, api: RunningApi) {
  const owner = new WalletOwner()
  const post = async (path: string, body: unknown) => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const response = await api.call('POST', path, { token, body, headers })
    if (response.status !== 201) throw new Error(response.text)
    return response.body
  }
  const { id: accountId } = await post('/accounts', individual)
  const { id: walletId, challenge: message } = await post(`/accounts/${accountId}/wallets`, owner.body())
  return { owner, message: String(message), ids: { accountId, walletId } }
}

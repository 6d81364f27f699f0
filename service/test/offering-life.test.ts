import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { duties } from '../src/platform/api/declare/duties.ts'
import { type StreamedMessage, StreamFollower } from './harness/callers/stream-reader.ts'
import { PacedChain } from './harness/chain/paced-chain.ts'
import { readToken } from './harness/chain/read-token.ts'
import { WalletOwner } from './harness/chain/wallet-owner.ts'
import { individual, newOffering } from './harness/data/bodies.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import type { ApiResponse, Call } from './harness/installation/api-client.ts'
import type { RunningApi } from './harness/installation/running-api.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import type { TestOperator } from './harness/installation/test-users.ts'
import { camt053 } from './harness/money/camt053.ts'
import { assertMoneyAddsUp } from './harness/money/money-check.ts'
import { assertValidRefundFile, readRefundFile } from './harness/money/refund-file.ts'
import { until } from './harness/wait.ts'

const buyerNames = [
  'Ada Lovelace',
  'Alan Turing',
  'Barbara Stone',
  'Claude Shannon',
  'Donald Knuth',
  'Edward Baker',
  'Frances Allen',
  'Grace Hopper',
  'John Backus',
  'Katherine Johnson',
  'Leslie Lamport',
  'Margaret Hamilton',
  'Nicholas West',
] as const
type BuyerName = (typeof buyerNames)[number]

// Buyers with a problem; the others pay the full price.
const underpays: BuyerName = 'Ada Lovelace'
const overpays: BuyerName = 'Alan Turing'
const forgetsReference: BuyerName = 'Barbara Stone'
const withdraws: BuyerName = 'Claude Shannon'
const isRejected: BuyerName = 'Donald Knuth'
const refunded: readonly BuyerName[] = [underpays, withdraws, isRejected]
const minted = buyerNames.filter((name) => !refunded.includes(name))

const callsMax = 63
const units = 1_000_000_000n // ten tokens at 12.50
const payerIban = 'DE02120300000000202051'
// Ten times the usual duration on a quiet machine.
const slowMs = 300_000

interface Buyer {
  name: BuyerName
  accountId: string
  orderId: string
}

describe('the life of an offering', async () => {
  let integratorToken: string
  let [prepares, releases]: TestOperator[] = []
  let calls = 0

  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start({ blockSeconds: 0.4 })])
  const settings = { CHAINS: `anvil=${chain.url}` }
  const [api, operatorApi] = await Promise.all([
    installation.startApi(),
    installation.startOperatorApi(),
    installation.startWorker(settings),
    installation.startIndexer(settings),
  ])
  const tenantId = await installation.createTenant('Harbour', { policies: 'default' })
  await new Fixtures(installation).signer(tenantId, chain)
  const without = (duty: string) => ({ duties: duties.filter((one) => one !== duty) })
  prepares = await installation.createOperator(tenantId, without('release'))
  releases = await installation.createOperator(tenantId, without('money'))
  const bankChannel = (await installation.createServiceUser(tenantId, { duties: ['money'] })).token
  const stream = new StreamFollower(operatorApi.baseUrl, prepares.token)
  after(async () => {
    await stream.stop()
    await installation.end()
    await chain.stop()
  })

  /** Sends and counts every request of the test except the one connection to the stream. */
  const request = async (to: RunningApi, method: string, path: string, call: Call = {}): Promise<ApiResponse> => {
    calls += 1
    const response = await to.call(method, path, call)
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`)
    return response
  }
  const integrator = async (path: string, body: unknown): Promise<ApiResponse['body']> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    return (await request(api, 'POST', path, { token: integratorToken, headers, body })).body
  }
  const operator = (path: string, body?: unknown): Promise<ApiResponse> =>
    request(operatorApi, 'POST', path, { token: prepares?.token, ...(body === undefined ? {} : { body }) })
  /** Lets the first person propose and the other one confirm. */
  const together = async (path: string, body?: unknown): Promise<ApiResponse['body']> => {
    const proposal = await operator(path, body)
    assert.equal(proposal.status, 202, proposal.text)
    const confirm = `/approvals/${proposal.body.approval_id}/confirm`
    return (await request(operatorApi, 'POST', confirm, { cookie: releases?.cookie })).body.result
  }
  const bulk = async (operation: string, items: readonly object[]): Promise<void> => {
    const { results } = (await operator(`/bulk/${operation}`, { items })).body
    for (const { status, error } of results) assert.equal(status, 200, JSON.stringify(error))
  }

  const received = (type: string): StreamedMessage[] => stream.received.filter(({ event }) => event === type)
  const count = (type: string, expected: number) =>
    until(`${expected} events ${type}`, () => received(type).length >= expected, slowMs)

  const account = (name: BuyerName) => {
    const [firstName, lastName] = name.split(' ')
    return {
      ...individual,
      individual: { ...individual.individual, firstName, lastName },
      bank_account: { ...individual.bank_account, account_holder: name },
    }
  }

  async function openOffering(): Promise<string> {
    const { id } = (await operator('/offerings', { ...newOffering, blockchain: 'anvil' })).body
    assert.equal((await together(`/offerings/${id}/open`)).status, 'OPEN')
    return id
  }

  async function sell(offeringId: string): Promise<Buyer[]> {
    return Promise.all(
      buyerNames.map(async (name) => {
        const { id: accountId } = await integrator('/accounts', account(name))
        const order = { account_id: accountId, units: String(units) }
        const { id: orderId } = await integrator(`/offerings/${offeringId}/orders`, order)
        return { name, accountId, orderId }
      }),
    )
  }

  async function proveWallet({ accountId }: Buyer): Promise<void> {
    const owner = new WalletOwner()
    const { id, challenge } = await integrator(`/accounts/${accountId}/wallets`, owner.body({ blockchain: 'anvil' }))
    const proof = { message: challenge, signature: await owner.sign(challenge) }
    await integrator(`/accounts/${accountId}/wallets/${id}/prove`, proof)
  }

  async function importStatement(buyers: readonly Buyer[]): Promise<void> {
    await count('order.created', buyers.length)
    const references = new Map(
      received('order.created').map(({ data }) => [data.data.order_id, data.data.payment_reference]),
    )
    const amounts: Partial<Record<BuyerName, string>> = { [underpays]: '100.00', [overpays]: '130.00' }
    const entries = buyers.map(({ name, orderId }) => ({
      amount: amounts[name] ?? '125.00',
      payerName: name,
      payerIban,
      ...(name === forgetsReference ? { text: 'tokens' } : { creditorReference: references.get(orderId) }),
    }))
    const headers = { 'content-type': 'application/xml' }
    const call = { token: bankChannel, headers, body: camt053({ entries }) }
    const { statements } = (await request(operatorApi, 'POST', '/statements', call)).body
    await together(`/statements/${statements[0].id}/book`)
    await count('unassigned_payment.opened', 1)
    await count('order.part_paid', 1)
  }

  /** Pays back all due refunds with one file, which the other person releases. */
  async function payOut(): Promise<void> {
    const { id } = (await operator('/payouts', {})).body
    assert.equal((await together(`/payouts/${id}/release`)).status, 'released')
    const call = { token: prepares?.token, fileType: 'application/xml' }
    const file = await request(operatorApi, 'POST', `/payouts/${id}/download`, call)
    assertValidRefundFile(file.text)
    const transfers = readRefundFile(file.text).blocks.flatMap((block) => block.transfers)
    assert.deepEqual(
      transfers.map(({ name, amount }) => `${name} ${amount}`).toSorted(),
      [`${underpays} 100.00`, `${overpays} 5.00`, `${withdraws} 125.00`, `${isRejected} 125.00`].toSorted(),
    )
  }

  const rows = (text: string) =>
    installation.owner(async (client) => (await client.query(text, [tenantId])).rows as Record<string, string>[])

  test(`13 buyers from the draft to the close take at most ${callsMax} requests`, async (t) => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 1_000 })
    calls += 1
    integratorToken = await api.token(credential)
    const offeringId = await openOffering()
    const buyers = await sell(offeringId)
    const those = (names: readonly BuyerName[]) => buyers.filter(({ name }) => names.includes(name))
    await bulk(
      'decideAccount',
      buyers.map(({ name, accountId }) => ({
        account_id: accountId,
        body: {
          kyc: name === isRejected ? 'REJECTED' : 'APPROVED',
          acknowledged: ['document_missing'],
          reason: 'documents checked',
        },
      })),
    )
    await Promise.all(those(minted).map(proveWallet))
    await importStatement(buyers)
    // Excludes the one who pays too little and the one who names no order.
    await count('order.paid', buyers.length - 2)
    const [unassigned] = received('unassigned_payment.opened')
    const [forgetful] = those([forgetsReference])
    const paymentId = unassigned?.data.data.unassigned_payment_id
    const assigned = await together(`/unassigned-payments/${paymentId}/assign`, { order_id: forgetful?.orderId })
    assert.equal(assigned.status, 'assigned')
    await bulk(
      'cancelOrder',
      those(refunded).map(({ orderId }) => ({ order_id: orderId, body: { reason: 'not an investor in the end' } })),
    )
    await payOut()
    await count('order.minted', minted.length)
    await operator(`/offerings/${offeringId}/close`)
    t.diagnostic(`${calls} requests`)
    assert.ok(calls <= callsMax, `${calls} requests`)

    const statuses = await rows(
      'select status, count(*)::int as n from cell.token_order where tenant_id = $1 group by 1',
    )
    assert.deepEqual(Object.fromEntries(statuses.map(({ status, n }) => [status, n])), {
      MINTED: minted.length,
      CANCELLED: refunded.length,
    })
    const refunds = await rows('select status from cell.refund where tenant_id = $1')
    assert.deepEqual(
      refunds.map(({ status }) => status),
      ['sent', 'sent', 'sent', 'sent'],
    )
    const [offering] = await rows('select status, token_address, issued_units from cell.offering where tenant_id = $1')
    const supply = units * BigInt(minted.length)
    assert.deepEqual([offering?.['status'], offering?.['issued_units']], ['CLOSED', String(supply)])
    assert.equal(await readToken(chain, offering?.['token_address'] as `0x${string}`, 'totalSupply'), supply)
    await assertMoneyAddsUp(installation, tenantId)
  })
})

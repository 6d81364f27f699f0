import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from './harness/callers/operator-client.ts'
import { startAllProcesses } from './harness/chain/all-processes.ts'
import { PacedChain } from './harness/chain/paced-chain.ts'
import { company, newOffering } from './harness/data/bodies.ts'
import { TestTenant } from './harness/data/tenant.ts'
import { type ApiResponse, assertError } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { until } from './harness/wait.ts'

/** Runs all processes and a real chain: simulations run the production code. */
describe('simulations', async () => {
  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start({ blockSeconds: 0.4 })])
  after(async () => {
    await installation.end()
    await chain.stop()
  })
  const apis = await startAllProcesses(installation, chain)
  const api = apis.api
  const tenant = await TestTenant.create(installation, api)
  const operator = await OperatorClient.create(installation, apis.operatorApi, tenant.id, 'admin')
  await tenant.fixtures.signer(tenant.id, chain)
  const offeringId = (await operator.post('/offerings', { ...newOffering, blockchain: 'anvil' })).body.id
  await operator.post(`/offerings/${offeringId}/open`)

  const simulate = async (path: string, body?: unknown): Promise<ApiResponse['body']> => {
    const response = await tenant.post(`/simulations/${path}`, body)
    assert.ok(response.status < 300, response.text)
    return response.body
  }
  const order = async (accountId: string) => tenant.order(offeringId, accountId)
  const pay = (orderId: string, body: object) => simulate(`orders/${orderId}/payments`, body)
  const statusOf = async (orderId: string): Promise<string> =>
    (await tenant.get(`/offerings/${offeringId}/orders/${orderId}`)).body.status
  const becomes = (orderId: string, status: string) =>
    until(`the order is ${status}`, async () => (await statusOf(orderId)) === status)
  const refundsOf = async (orderId: string) =>
    (await operator.get(`/refunds?order_id=${orderId}`)).body.results.map(
      ({ amount, reason }: Record<string, string>) => `${amount} ${reason}`,
    )
  const codesOf = ({ blockers }: { blockers: { code: string }[] }) => blockers.map(({ code }) => code)

  test('a payment can be exact, short, over, late and reported twice', async () => {
    const accountId = await tenant.account()
    const [exact, short, over, late, twice] = (await Promise.all([1, 2, 3, 4, 5].map(() => order(accountId)))) as [
      string,
      string,
      string,
      string,
      string,
    ]
    const paid = await pay(exact, { kind: 'exact' })
    assert.equal(paid.status, 'PAID')
    assert.deepEqual(codesOf(paid), ['approval_missing', 'wallet_missing'])
    assert.deepEqual(await refundsOf(exact), [])

    const halfPaid = await pay(short, { kind: 'short' })
    assert.deepEqual([halfPaid.status, halfPaid.paid_amount], ['ORDERED', halfPaid.total_amount / 2])
    assert.equal((await pay(short, { kind: 'exact' })).status, 'PAID')

    assert.equal((await pay(over, { kind: 'over' })).status, 'PAID')
    assert.deepEqual(await refundsOf(over), ['62.51 overpaid'])

    assert.equal((await pay(late, { kind: 'late' })).status, 'NOPAYMENT')
    assert.deepEqual(await refundsOf(late), ['125.00 late'])

    assert.equal((await pay(twice, { kind: 'twice' })).status, 'PAID')
    assert.deepEqual(await refundsOf(twice), [])
    assert.equal((await operator.get(`/orders/${twice}/payments`)).body.pagination.count, 1)
  })

  test('a payment deadline expires immediately, or with all others of the tenant', async () => {
    const accountId = await tenant.account()
    const [single, all] = [await order(accountId), await order(accountId)]
    assert.equal((await simulate(`orders/${single}/payment-deadline`)).status, 'NOPAYMENT')
    const advanced = await simulate('expire-deadlines', { advance_seconds: 365 * 86_400 })
    assert.ok(advanced.orders >= 1)
    await becomes(all, 'NOPAYMENT')
    const rejected = await tenant.post(`/simulations/orders/${all}/payments`, { kind: 'exact', amount: '0.001' })
    assertError(rejected, 409, 'simulation_not_possible')
  })

  test('an approved, paid order with a wallet is minted despite a reorg; investors transfer tokens', async () => {
    const [ann, bob] = [await tenant.account(), await tenant.account(company)]
    assert.equal((await simulate(`accounts/${ann}/decision`, { kyc: 'APPROVED' })).kyc.status, 'APPROVED')
    const { id: annsWallet, status } = await simulate(`accounts/${ann}/wallets`, { offering_id: offeringId })
    assert.equal(status, 'ACTIVE')
    const { id: bobsWallet } = await simulate(`accounts/${bob}/wallets`, {})
    const orderId = await order(ann)
    await pay(orderId, { kind: 'exact' })
    await until('the order is being minted', async () => ['MINTING', 'MINTED'].includes(await statusOf(orderId)))
    await simulate('reorg', { offering_id: offeringId, depth: 2 })
    await becomes(orderId, 'MINTED')

    const transfer = { offering_id: offeringId, from_wallet_id: annsWallet, to_wallet_id: bobsWallet, units: '400' }
    const { transaction_hash: hash } = await simulate('transfers', transfer)
    const typesOf = async (accountId: string) =>
      (await tenant.get(`/accounts/${accountId}/transactions?direction=asc`)).body.results.map(
        ({ transaction_type, status: state, transaction_hash }: Record<string, string>) =>
          `${transaction_type} ${state} ${transaction_hash === hash}`,
      )
    await until('the transfer is confirmed', async () => (await typesOf(bob)).includes('RECEIVE confirmed true'))
    assert.deepEqual(await typesOf(ann), ['MINT confirmed false', 'SEND confirmed true'])
    const balances = (await tenant.get(`/accounts/${bob}/wallets/balances`)).body.results
    assert.deepEqual(
      balances.map(({ balance }: { balance: string }) => balance),
      ['400'],
    )

    const tooMuch = await tenant.post('/simulations/transfers', { ...transfer, units: '1000000000000' })
    assertError(tooMuch, 409, 'simulation_not_possible')
    assert.match(tooMuch.body.error.message, /ERC20InsufficientBalance/)
  })

  test('an order whose mints revert is put on hold with the reason, and minted once the token is unpaused', async () => {
    const accountId = await tenant.account()
    await simulate(`accounts/${accountId}/decision`, { kyc: 'APPROVED' })
    await simulate(`accounts/${accountId}/wallets`, {})
    await simulate(`offerings/${offeringId}/mint-failure`, { failing: true })
    const orderId = await order(accountId)
    await pay(orderId, { kind: 'exact' })
    const blockers = async () => (await operator.get(`/orders/${orderId}`)).body.blockers
    await until('the order is on hold', async () => codesOf({ blockers: await blockers() }).includes('mint_on_hold'))
    assert.match((await blockers())[0].message, /EnforcedPause/)
    const { released_orders: released } = await simulate(`offerings/${offeringId}/mint-failure`, { failing: false })
    assert.equal(released, 1)
    await becomes(orderId, 'MINTED')
  })

  test('simulations record the same events as production', async () => {
    const countEvents = async (type: string): Promise<number> =>
      (await tenant.get(`/events?limit=50&type=${type}`)).body.events.length
    // Events are numbered shortly after the change.
    await until('both mints have an event', async () => (await countEvents('order.minted')) >= 2)
    assert.equal(await countEvents('order.minted'), 2)
    assert.ok((await countEvents('refund.due')) >= 2)
  })

  /** Creates an approved investor with a simulated wallet and 1,000,000,000 units, which are ten tokens. */
  const holder = async () => {
    const accountId = await tenant.account()
    await simulate(`accounts/${accountId}/decision`, { kyc: 'APPROVED' })
    const { id: walletId } = await simulate(`accounts/${accountId}/wallets`, { offering_id: offeringId })
    const orderId = await order(accountId)
    await pay(orderId, { kind: 'exact' })
    await becomes(orderId, 'MINTED')
    return { accountId, walletId }
  }
  const eventsOf = async (type: string): Promise<{ data: Record<string, string> }[]> =>
    (await tenant.get(`/events?limit=50&type=${type}`)).body.events

  test('a coupon is announced and paid, or returned by the bank, or only announced', async () => {
    const { accountId } = await holder()
    const distribute = (body: object) => simulate(`offerings/${offeringId}/distributions`, body)
    const paid = await distribute({ result: 'paid', rate_per_token: '0.50' })
    assert.equal(paid.status, 'PAYING')
    // An earlier test has sent 400 units to a wallet that gets nothing.
    const statuses = paid.totals.map(({ status }: { status: string }) => status)
    assert.deepEqual(statuses, ['nothing', 'paid'])
    const failed = await distribute({ result: 'failed', kind: 'DIVIDEND' })
    const announced = await distribute({ result: 'announced' })
    assert.equal(announced.status, 'APPROVED')
    const entitlements = (await tenant.get(`/accounts/${accountId}/entitlements?direction=asc`)).body.results
    assert.deepEqual(
      entitlements.map((one: Record<string, string>) => [
        one['kind'],
        one['net_amount'],
        one['status'],
        one['failure'],
      ]),
      [
        ['COUPON', '5.00', 'paid', null],
        ['DIVIDEND', '10.00', 'returned', 'AC04'],
      ],
    )
    await until('all are announced', async () => (await eventsOf('distribution.announced')).length === 3)
    const distributionOf = async (type: string) =>
      (await eventsOf(type)).find(({ data }) => data['account_id'] === accountId)?.data['distribution_id']
    await until('the payment has an event', async () => (await distributionOf('entitlement.paid')) === paid.id)
    assert.equal(await distributionOf('entitlement.failed'), failed.id)
    // The jobs that the steps enqueued find nothing left to do.
    assert.equal((await operator.get(`/distributions/${paid.id}`)).body.status, 'PAYING')
  })

  test('a requested transfer is approved, sent on the chain and DONE; one of another wallet stays READY', async () => {
    const [sender, receiver] = [await holder(), await tenant.account()]
    await simulate(`accounts/${receiver}/decision`, { kyc: 'APPROVED' })
    const { id: receiverWallet } = await simulate(`accounts/${receiver}/wallets`, {})
    const request = async (senderWallet: string, receiverWalletId: string): Promise<string> => {
      const wallets = { sender_wallet_id: senderWallet, receiver_wallet_id: receiverWalletId }
      const created = await tenant.post('/transfers', {
        offering_id: offeringId,
        ...wallets,
        units: '400000000',
        reason: 'sale',
      })
      assert.equal(created.status, 201, created.text)
      return created.body.id
    }
    const complete = (id: string) => tenant.post(`/simulations/transfers/${id}/completion`, undefined)
    const transferId = await request(sender.walletId, receiverWallet)
    assert.equal((await simulate(`transfers/${transferId}/completion`)).status, 'READY')
    const transfer = async () => (await tenant.get(`/transfers/${transferId}`)).body
    await until('the transfer is DONE', async () => (await transfer()).status === 'DONE')
    assert.match((await transfer()).transaction_hash, /^0x/)
    assert.deepEqual(
      (await tenant.get(`/accounts/${receiver}/wallets/balances`)).body.results.map(
        ({ balance }: { balance: string }) => balance,
      ),
      ['400000000'],
    )
    assertError(await complete(transferId), 409, 'transfer_not_in_state')

    const blocked = await request(
      sender.walletId,
      (await simulate(`accounts/${await tenant.account()}/wallets`, {})).id,
    )
    const rejected = await complete(blocked)
    assertError(rejected, 409, 'transfer_blocked')
    assert.match(rejected.body.error.message, /receiver_approval_missing/)

    // Pretends that the investor brought this wallet: the service does not have its private key.
    await installation.rows('delete from cell.simulated_wallet where wallet_id = $1', [sender.walletId])
    const unsent = await request(sender.walletId, receiverWallet)
    assert.deepEqual((await simulate(`transfers/${unsent}/completion`)).blockers, [])
    assert.equal((await tenant.get(`/transfers/${unsent}`)).body.status, 'READY')
  })

  test('a KYC provider approves, rejects and lets an approval expire', async () => {
    const accountId = await tenant.account()
    const report = (body: object) => simulate(`accounts/${accountId}/kyc-result`, body)
    const kyc = async () => (await tenant.get(`/accounts/${accountId}`)).body.kyc.status
    const { provider_id, ...approved } = await report({ outcome: 'approved' })
    assert.deepEqual(approved, { account_id: accountId, outcome: 'applied', kyc: 'APPROVED', kyb: 'NEW' })
    const queued = await report({ outcome: 'rejected', provider_id, is_accepted: false })
    assert.deepEqual([queued.outcome, queued.kyc], ['queued', 'APPROVED'])
    const rejected = await report({ outcome: 'rejected' })
    assert.deepEqual([rejected.outcome, rejected.kyc], ['applied', 'REJECTED'])
    assert.equal((await report({ outcome: 'expired' })).kyc, 'APPROVED')
    await until('the approval has expired', async () => (await kyc()) === 'PENDING')
    const [provider] = (await operator.get('/kyc-providers')).body.results
    assert.deepEqual([provider.id, provider.name], [provider_id, 'simulated-kyc'])
    await operator.post(`/kyc-providers/${provider_id}/disable`)
    const disabled = await tenant.post(`/simulations/accounts/${accountId}/kyc-result`, {
      outcome: 'approved',
      provider_id,
    })
    assertError(disabled, 409, 'simulation_not_possible')
  })

  test('404: an order, account, wallet or offering of another tenant, and an unknown offering', async () => {
    const other = await TestTenant.create(installation, api)
    const accountId = await tenant.account()
    const { id: walletId } = await simulate(`accounts/${accountId}/wallets`, {})
    const orderId = await order(accountId)
    for (const [path, body] of [
      [`orders/${orderId}/payments`, { kind: 'exact' }],
      [`orders/${orderId}/payment-deadline`, undefined],
      [`accounts/${accountId}/decision`, { kyc: 'APPROVED' }],
      [`accounts/${accountId}/wallets`, {}],
      [`offerings/${offeringId}/mint-failure`, { failing: true }],
      [`offerings/${offeringId}/distributions`, { result: 'paid' }],
      [`accounts/${accountId}/kyc-result`, { outcome: 'approved' }],
      [`transfers/${crypto.randomUUID()}/completion`, undefined],
      ['reorg', { offering_id: offeringId, depth: 1 }],
      ['transfers', { offering_id: offeringId, from_wallet_id: walletId, to_wallet_id: walletId, units: '1' }],
    ] as const)
      assertError(await other.post(`/simulations/${path}`, body), 404, 'not_found')
    const forOffering = { offering_id: crypto.randomUUID() }
    assertError(await tenant.post(`/simulations/accounts/${accountId}/wallets`, forOffering), 404, 'not_found')
    assert.equal((await other.post('/simulations/expire-deadlines', { advance_seconds: 366 * 86_400 })).body.orders, 0)
    assert.equal(await statusOf(orderId), 'ORDERED')
  })
})

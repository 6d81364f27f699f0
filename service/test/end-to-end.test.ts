import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answer } from './harness/api-client.ts'
import { benefitingPerson, company } from './harness/bodies.ts'
import { type CamtEntry, camt053 } from './harness/camt053.ts'
import { assertMoneyAddsUp } from './harness/money-check.ts'
import { OperatorClient } from './harness/operator-client.ts'
import { assertValidRefundFile, readRefundFile } from './harness/refund-file.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'
import { until } from './harness/wait.ts'
import { WalletOwner } from './harness/wallet-owner.ts'

/** From nothing to an order that can be minted, over HTTP and with a worker, as an operator and an integrator do it. */
describe('an order from beginning to end', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operator: OperatorClient
  let operatorApi: RunningApi
  let tenantId: string
  let token: string

  before(async () => {
    installation = await TestInstallation.create()
    ;[api, operatorApi] = await Promise.all([
      installation.startApi(),
      installation.startOperatorApi(),
      installation.startWorker(),
    ])
    tenantId = await installation.createTenant('Harbour')
    operator = await OperatorClient.create(installation, operatorApi, tenantId, 'admin')
    const issued = await operator.post('/credentials', {
      name: 'broker',
      scopes: ['account.create', 'account.read', 'account.update', 'offering.read', 'order.create', 'order.read'],
      requests_per_minute: 1_000,
    })
    assert.equal(issued.status, 201, issued.text)
    const { client_id: clientId, client_secret: clientSecret } = issued.body
    token = await api.token({ clientId, clientSecret }, [
      'account.create',
      'account.read',
      'account.update',
      'offering.read',
      'order.create',
      'order.read',
    ])
  })
  after(() => installation.end())

  const integrator = async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const answer = await api.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }

  /** Imports what a bank says of a day, and waits until it is booked. Whatever it says, no money is lost by it. */
  const bankTells = async (id: string, entries: CamtEntry[]): Promise<void> => {
    const answer = await operatorApi.call('POST', '/statements', {
      token: operator.who.token,
      body: camt053({ id, entries }),
      headers: { 'content-type': 'application/xml' },
    })
    assert.equal(answer.status, 201, answer.text)
    const [{ id: statementId }] = answer.body.statements
    await until(
      'the statement is booked',
      async () => (await operator.get(`/statements/${statementId}`)).body.waiting === 0,
    )
    await assertMoneyAddsUp(installation, tenantId)
  }
  /** All that is due, as a file for the bank; what a bank reads in it. */
  const payBack = async () => {
    const made = await operator.post('/payouts', {})
    assert.equal(made.status, 201, made.text)
    const call = { token: operator.who.token, fileType: 'application/xml' }
    const file = await operatorApi.call('POST', `/payouts/${made.body.id}/download`, call)
    assert.equal(file.status, 200, file.text)
    assertValidRefundFile(file.text)
    await assertMoneyAddsUp(installation, tenantId)
    return readRefundFile(file.text)
  }

  test('blockers name exactly what is missing at each step, and the events tell of each step in sequence', async () => {
    const operate = async (path: string, body?: unknown): Promise<Answer['body']> => {
      const answer = await operator.post(path, body)
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    // The operator makes an offering that asks for acceptance, and opens it.
    const draft = await operate('/offerings', {
      name: 'Harbour Bond 2031',
      symbol: 'HARB',
      blockchain: 'ethereum',
      tokenization_platform: 'permissioned-token',
      decimals: 8,
      type: 'DEBT_TOKENIZED',
      price_per_token: '12.50',
      currency: 'EUR',
      total_units: '100000000000000',
      acceptance_required: true,
      collection_account: {
        account_holder: 'Harbour Issuer GmbH',
        bank: 'Testbank',
        bic: 'COBADEFFXXX',
        iban: 'DE89370400440532013000',
        currency: 'EUR',
      },
    })
    assert.equal((await api.call('GET', `/offerings/${draft.id}`, { token })).status, 404)
    await operate(`/offerings/${draft.id}/open`)

    // The integrator brings a company that buys.
    const account = await integrator('POST', '/accounts', company)
    const { id } = await integrator('POST', `/offerings/${draft.id}/orders`, {
      account_id: account.id,
      units: '1000000000',
    })
    const order = async () => (await operator.get(`/orders/${id}`)).body
    const blockers = async () => (await order()).blockers.map(({ code }: { code: string }) => code)
    const all = ['approval_missing', 'benefiting_person_missing', 'wallet_missing', 'acceptance_missing']
    assert.deepEqual(await blockers(), ['payment_missing', ...all])

    // The buyer pays in two parts, and five too much; the bank tells so in its statements of two days.
    const { payment_reference: written } = await order()
    await bankTells('S1', [{ amount: '25.00', creditorReference: written, bookedOn: '2026-07-01' }])
    assert.deepEqual(await blockers(), ['payment_missing', ...all])
    await bankTells('S2', [{ amount: '105.00', text: `tokens ${written}`, payerName: 'Analytical GmbH' }])
    assert.deepEqual([(await order()).status, await blockers()], ['PAID', all])
    const [refund] = (await operator.get(`/refunds?order_id=${id}`)).body.results
    assert.deepEqual([refund.amount, refund.reason, refund.status], ['5.00', 'overpaid', 'due'])

    // What was too much goes back in a file for the bank. The bank returns it once; then it leaves for good.
    const refundStatus = async () => (await operator.get(`/refunds/${refund.id}`)).body.status
    const endToEndId = refund.id.replaceAll('-', '')
    const { count, sum, blocks } = await payBack()
    assert.deepEqual([count, sum, blocks[0]?.debtor], ['1', '5.00', 'DE89370400440532013000'])
    const [transfer] = blocks[0]?.transfers ?? []
    assert.deepEqual([transfer?.endToEndId, transfer?.amount, transfer?.name], [endToEndId, '5.00', 'Analytical GmbH'])
    assert.equal(await refundStatus(), 'sent')
    await bankTells('S3', [{ amount: '5.00', endToEndId, returnCode: 'AC04', returnText: 'closed account' }])
    assert.equal(await refundStatus(), 'failed')
    await operate(`/refunds/${refund.id}/retry`)
    await payBack()
    await bankTells('S4', [{ amount: '5.00', isDebit: true, endToEndId }])
    assert.equal(await refundStatus(), 'settled')

    await integrator('POST', `/accounts/${account.id}/benefiting-persons`, benefitingPerson)
    assert.deepEqual(await blockers(), ['approval_missing', 'wallet_missing', 'acceptance_missing'])
    await operate(`/accounts/${account.id}/decision`, { kyb: 'APPROVED', reason: 'register and owners checked' })
    assert.deepEqual(await blockers(), ['wallet_missing', 'acceptance_missing'])
    await operate(`/orders/${id}/accept`)
    assert.deepEqual(await blockers(), ['wallet_missing'])
    const wallet = await new WalletOwner().register(operator, account.id)
    assert.deepEqual(await blockers(), ['wallet_missing'])
    assert.equal((await wallet.prove()).status, 200)

    const status = async () => (await integrator('GET', `/offerings/${draft.id}/orders/${id}`)).status
    await until('the gates are open', async () => (await status()) === 'READYTOMINT')
    const ready = await order()
    assert.equal(ready.mint_wallet_id, wallet.id)
    // All that is left is the chain's: there is none here.
    assert.deepEqual(await blockers(), ['token_missing'])

    // A gate that is lost takes it back, and one that is found again forward.
    await wallet.decide('suspend')
    await until('the wallet is missed', async () => (await status()) === 'PAID')
    assert.deepEqual(await blockers(), ['wallet_missing'])
    await wallet.decide('resume')
    await until('it is ready again', async () => (await status()) === 'READYTOMINT')

    const told = async () => (await integrator('GET', '/events?limit=50')).events
    await until('the last event has its number', async () => (await told()).at(-1)?.data.status === 'READYTOMINT')
    const events: { type: string; sequence: number; data: Record<string, string | null> }[] = await told()
    const last = events.at(-1)?.sequence ?? 0
    assert.ok(events.every(({ sequence }, place) => place === 0 || sequence > (events[place - 1]?.sequence ?? 0)))
    assert.ok(last >= events.length)
    const ofOrder = events
      .filter(({ data }) => data['order_id'] === id && data['status'] !== undefined)
      .map(({ type, data }) => `${type} ${data['previous_status'] ?? '-'} > ${data['status']}`)
      // How often the gates were looked at in between is up to the worker.
      .filter((line) => !line.startsWith('order.blocked'))
    assert.deepEqual(ofOrder, [
      'order.created - > ORDERED',
      'order.part_paid ORDERED > ORDERED',
      'order.paid ORDERED > PAID',
      'refund.due - > due',
      'refund.sent due > sent',
      'refund.failed sent > failed',
      'refund.due failed > due',
      'refund.sent due > sent',
      'refund.settled sent > settled',
      'order.accepted PAID > PAID',
      'order.ready_to_mint PAID > READYTOMINT',
      'order.gate_lost READYTOMINT > PAID',
      'order.ready_to_mint PAID > READYTOMINT',
    ])
    const types = new Set(events.map(({ type }) => type))
    for (const type of ['credential.issued', 'offering.opened', 'account.created', 'account.approval_changed'])
      assert.ok(types.has(type), type)
    // The token may not read wallets, and so not what happens to them.
    assert.ok(![...types].some((type) => type.startsWith('wallet.')))
    const { payment_reference: reference } = events.find(({ type }) => type === 'order.created')?.data ?? {}
    assert.equal((await operator.get(`/orders?payment_reference=${reference ?? ''}`)).body.results[0].id, id)
  })

  test('an order that costs nothing waits for no money', async () => {
    const [offering] = (await operator.get('/offerings?status=OPEN')).body.results
    const account = await integrator('POST', '/accounts', company)
    // A fraction of a token so small that its price rounds to nothing.
    const { id, total_amount: total } = await integrator('POST', `/offerings/${offering.id}/orders`, {
      account_id: account.id,
      units: '1',
    })
    assert.equal(total, 0)
    await until('it is paid', async () => (await operator.get(`/orders/${id}`)).body.status === 'PAID')
  })

  test('the deadline passes by itself: an order that is not paid becomes NOPAYMENT within seconds', async () => {
    const [offering] = (await operator.get('/offerings?status=OPEN')).body.results
    const account = await integrator('POST', '/accounts', company)
    const { id } = await integrator('POST', `/offerings/${offering.id}/orders`, {
      account_id: account.id,
      units: '1000000000',
    })
    const soon = new Date(Date.now() + 1_500).toISOString()
    assert.equal((await operator.post(`/orders/${id}/extend`, { payment_due_at: soon })).status, 200)
    await until('it is overdue', async () => (await operator.get(`/orders/${id}`)).body.status === 'NOPAYMENT')
  })
})

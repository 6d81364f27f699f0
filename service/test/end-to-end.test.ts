import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from './harness/callers/operator-client.ts'
import { WalletOwner } from './harness/chain/wallet-owner.ts'
import { benefitingPerson, company, newOffering } from './harness/data/bodies.ts'
import type { ApiResponse } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { type CamtEntry, camt053 } from './harness/money/camt053.ts'
import { assertMoneyAddsUp } from './harness/money/money-check.ts'
import { assertValidRefundFile, readRefundFile } from './harness/money/refund-file.ts'
import { until } from './harness/wait.ts'

/** Goes from an empty tenant to an order that is ready to mint, over HTTP and with a worker. */
describe('an order from creation to READYTOMINT', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const [api, operatorApi] = await Promise.all([
    installation.startApi(),
    installation.startOperatorApi(),
    installation.startWorker(),
  ])
  const tenantId = await installation.createTenant('Harbour')
  const operator = await OperatorClient.create(installation, operatorApi, tenantId, 'all duties')
  const scopes = ['account.create', 'account.read', 'account.update', 'offering.read', 'order.create', 'order.read']
  const issued = await operator.post('/credentials', { name: 'broker', scopes, requests_per_minute: 1_000 })
  assert.equal(issued.status, 201, issued.text)
  const { client_id: clientId, client_secret: clientSecret } = issued.body
  const token = await api.token({ clientId, clientSecret }, scopes)

  const integrator = async (method: string, path: string, body?: unknown): Promise<ApiResponse['body']> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const response = await api.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
    assert.ok(response.status < 300, response.text)
    return response.body
  }

  /** Imports a bank statement, waits until all entries are processed, and checks that all money is accounted for. */
  const importStatement = async (id: string, entries: CamtEntry[]): Promise<void> => {
    const response = await operator.upload('/statements', camt053({ id, entries }))
    assert.equal(response.status, 201, response.text)
    const [{ id: statementId }] = response.body.statements
    await until(
      'the statement is booked',
      async () => (await operator.get(`/statements/${statementId}`)).body.pending === 0,
    )
    await assertMoneyAddsUp(installation, tenantId)
  }
  /** Creates a payout of all due refunds, and reads the file as a bank would. */
  const payOut = async () => {
    const created = await operator.post('/payouts', {})
    assert.equal(created.status, 201, created.text)
    assert.equal((await operator.post(`/payouts/${created.body.id}/release`)).body.status, 'released')
    const file = await operator.download(`/payouts/${created.body.id}/download`)
    assert.equal(file.status, 200, file.text)
    assertValidRefundFile(file.text)
    await assertMoneyAddsUp(installation, tenantId)
    return readRefundFile(file.text)
  }

  test('blockers list exactly what is missing, and the events contain each transition in sequence', async () => {
    const operate = async (path: string, body?: unknown): Promise<ApiResponse['body']> => {
      const response = await operator.post(path, body)
      assert.ok(response.status < 300, response.text)
      return response.body
    }
    // The operator creates an offering that requires acceptance, and opens it.
    const draft = await operate('/offerings', { ...newOffering, acceptance_required: true })
    assert.equal((await api.call('GET', `/offerings/${draft.id}`, { token })).status, 404)
    await operate(`/offerings/${draft.id}/open`)

    // The integrator creates a company account and an order.
    const account = await integrator('POST', '/accounts', company)
    const { id } = await integrator('POST', `/offerings/${draft.id}/orders`, {
      account_id: account.id,
      units: '1000000000',
    })
    const order = async () => (await operator.get(`/orders/${id}`)).body
    const blockers = async () => (await order()).blockers.map(({ code }: { code: string }) => code)
    const all = ['approval_missing', 'benefiting_person_missing', 'wallet_missing', 'acceptance_missing']
    assert.deepEqual(await blockers(), ['payment_missing', ...all])

    // The buyer pays in two parts and overpays by 5 EUR. The statements of two days report it.
    const { payment_reference: paymentReference } = await order()
    await importStatement('S1', [{ amount: '25.00', creditorReference: paymentReference, bookedOn: '2026-07-01' }])
    assert.deepEqual(await blockers(), ['payment_missing', ...all])
    const payerIban = 'DE02120300000000202051'
    await importStatement('S2', [
      { amount: '105.00', text: `tokens ${paymentReference}`, payerName: 'Analytical GmbH', payerIban },
    ])
    assert.deepEqual([(await order()).status, await blockers()], ['PAID', all])
    const [refund] = (await operator.get(`/refunds?order_id=${id}`)).body.results
    assert.deepEqual([refund.amount, refund.reason, refund.status], ['5.00', 'overpaid', 'due'])

    // The overpayment is refunded with a payout file. The bank returns the first transfer and executes the second.
    const refundStatus = async () => (await operator.get(`/refunds/${refund.id}`)).body.status
    const endToEndId = refund.id.replaceAll('-', '')
    const { count, sum, blocks } = await payOut()
    assert.deepEqual([count, sum, blocks[0]?.debtor], ['1', '5.00', 'DE89370400440532013000'])
    const [transfer] = blocks[0]?.transfers ?? []
    assert.deepEqual([transfer?.endToEndId, transfer?.amount, transfer?.name], [endToEndId, '5.00', 'Analytical GmbH'])
    assert.equal(transfer?.iban, payerIban, 'the money goes back to the account that it came from')
    assert.equal(await refundStatus(), 'sent')
    await importStatement('S3', [{ amount: '5.00', endToEndId, returnCode: 'AC04', returnText: 'closed account' }])
    assert.equal(await refundStatus(), 'failed')
    await operate(`/refunds/${refund.id}/retry`)
    await payOut()
    await importStatement('S4', [{ amount: '5.00', isDebit: true, endToEndId }])
    assert.equal(await refundStatus(), 'settled')

    await integrator('POST', `/accounts/${account.id}/benefiting-persons`, benefitingPerson)
    assert.deepEqual(await blockers(), ['approval_missing', 'wallet_missing', 'acceptance_missing'])
    await operate(`/accounts/${account.id}/decision`, {
      kyb: 'APPROVED',
      acknowledged: ['document_missing'],
      reason: 'register and owners checked',
    })
    assert.deepEqual(await blockers(), ['wallet_missing', 'acceptance_missing'])
    await operate(`/orders/${id}/accept`)
    assert.deepEqual(await blockers(), ['wallet_missing'])
    const wallet = await new WalletOwner().register(operator, account.id)
    assert.deepEqual(await blockers(), ['wallet_missing'])
    assert.equal((await wallet.prove()).status, 200)

    const status = async () => (await integrator('GET', `/offerings/${draft.id}/orders/${id}`)).status
    await until('the mint preconditions are met', async () => (await status()) === 'READYTOMINT')
    const ready = await order()
    assert.equal(ready.mint_wallet_id, wallet.id)
    // This installation has no chain, so the token is never deployed.
    assert.deepEqual(await blockers(), ['token_missing'])

    // Losing a mint precondition moves the order back to PAID; meeting it again moves it forward.
    await wallet.decide('suspend')
    await until('the order is PAID again', async () => (await status()) === 'PAID')
    assert.deepEqual(await blockers(), ['wallet_missing'])
    await wallet.decide('resume')
    await until('the order is READYTOMINT again', async () => (await status()) === 'READYTOMINT')

    const readEvents = async () => (await integrator('GET', '/events?limit=50')).events
    await until(
      'the last event has its sequence number',
      async () => (await readEvents()).at(-1)?.data.status === 'READYTOMINT',
    )
    const events: { type: string; sequence: number; data: Record<string, string | null> }[] = await readEvents()
    const last = events.at(-1)?.sequence ?? 0
    assert.ok(events.every(({ sequence }, index) => index === 0 || sequence > (events[index - 1]?.sequence ?? 0)))
    assert.ok(last >= events.length)
    const ofOrder = events
      .filter(({ data }) => data['order_id'] === id && data['status'] !== undefined)
      .map(({ type, data }) => `${type} ${data['previous_status'] ?? '-'} > ${data['status']}`)
      // The number of order.blocked events depends on when the worker runs the checks.
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
      'order.mint_preconditions_lost READYTOMINT > PAID',
      'order.ready_to_mint PAID > READYTOMINT',
    ])
    const types = new Set(events.map(({ type }) => type))
    for (const type of ['credential.issued', 'offering.opened', 'account.created', 'account.approval_changed'])
      assert.ok(types.has(type), type)
    // The token lacks the scope wallet.read, so it does not see wallet events.
    assert.ok(![...types].some((type) => type.startsWith('wallet.')))
    const { payment_reference: reference } = events.find(({ type }) => type === 'order.created')?.data ?? {}
    assert.equal((await operator.get(`/orders?payment_reference=${reference ?? ''}`)).body.results[0].id, id)
  })

  test('an order at a price of 0 is PAID without a payment; one whose price rounds to 0 costs a cent', async () => {
    const account = await integrator('POST', '/accounts', company)
    const buyOneUnit = (offeringId: string) =>
      integrator('POST', `/offerings/${offeringId}/orders`, { account_id: account.id, units: '1' })
    const [priced] = (await operator.get('/offerings?status=OPEN')).body.results
    const small = await buyOneUnit(priced.id)
    const { body: free } = await operator.post('/offerings', { ...newOffering, price_per_token: '0' })
    await operator.post(`/offerings/${free.id}/open`)
    const gift = await buyOneUnit(free.id)
    await operator.post(`/offerings/${free.id}/close`)
    assert.deepEqual([small.total_amount, gift.total_amount], [0.01, 0])
    await until('it is PAID', async () => (await operator.get(`/orders/${gift.id}`)).body.status === 'PAID')
    assert.equal((await operator.get(`/orders/${small.id}`)).body.status, 'ORDERED')
  })

  test('an order that is not paid by its deadline becomes NOPAYMENT within seconds', async () => {
    const [offering] = (await operator.get('/offerings?status=OPEN')).body.results
    const account = await integrator('POST', '/accounts', company)
    const { id } = await integrator('POST', `/offerings/${offering.id}/orders`, {
      account_id: account.id,
      units: '1000000000',
    })
    const soon = new Date(Date.now() + 1_500).toISOString()
    assert.equal((await operator.post(`/orders/${id}/extend`, { payment_due_at: soon })).status, 200)
    await until('the order is NOPAYMENT', async () => (await operator.get(`/orders/${id}`)).body.status === 'NOPAYMENT')
  })
})

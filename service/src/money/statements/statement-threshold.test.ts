import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../../test/harness/installation/test-users.ts'
import { camt053 } from '../../../test/harness/money/camt053.ts'
import { type RunningInstallation, StatementWorld } from '../../../test/harness/money/statement-world.ts'
import { until } from '../../../test/harness/wait.ts'

describe('statements of a tenant that has set only a threshold', () => {
  let running: RunningInstallation
  let world: StatementWorld
  let clerk: OperatorClient
  let second: TestOperator
  let order: { id: string }
  let payment: { amount: string; creditorReference: string; bankReference: string }

  before(async () => {
    const installation = await TestInstallation.create()
    const [api, operatorApi] = await Promise.all([
      installation.startApi(),
      installation.startOperatorApi(),
      installation.startWorker(),
    ])
    running = { installation, api, operatorApi }
  })
  after(() => running.installation.end())
  beforeEach(async () => {
    world = await StatementWorld.create(running)
    const { installation, tenant, operatorApi } = world
    clerk = await OperatorClient.create(installation, operatorApi, tenant.id, 'operator')
    second = await installation.createOperator(tenant.id, { role: 'admin' })
    const { id, reference } = await world.order()
    order = { id }
    payment = { amount: '125.00', creditorReference: reference, bankReference: 'B1' }
    await installation.useDefaultPolicies(tenant.id)
  })

  const upload = async (xml: string, { token }: { token: string } = clerk.who) => {
    const headers = { 'content-type': 'application/xml' }
    const response = await world.operatorApi.call('POST', '/statements', { token, body: xml, headers })
    assert.equal(response.status, 201, response.text)
    return response.body.statements[0]
  }
  const book = (id: string) => clerk.post(`/statements/${id}/book`)
  const read = async (id: string) => (await clerk.get(`/statements/${id}`)).body
  const orderStatus = async () => (await world.orderState(order.id))[0]
  const isPaid = () => until('the order is paid', async () => (await orderStatus()) === 'PAID')
  const setThreshold = (fromMinor: string) =>
    world.installation.rows(
      `insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, 'statement_booking', $2)`,
      [world.tenant.id, fromMinor],
    )

  test('of a service user are not booked by the people who were shown its token', async () => {
    const [creator, shown] = [
      await world.installation.createOperator(world.tenant.id),
      await world.installation.createOperator(world.tenant.id),
    ]
    const fetcher = await world.installation.createServiceUser(world.tenant.id, {
      duties: ['money', 'read'],
      createdBy: creator.userId,
    })
    await world.installation.rows('update directory.personal_token set shown_to = $1 where user_id = $2', [
      shown.userId,
      fetcher.userId,
    ])
    const { id, waits_for_booking: waits } = await upload(camt053({ entries: [payment] }), fetcher)
    assert.equal(waits, true)
    const proposal = await world.operatorApi.call('POST', `/statements/${id}/book`, { token: fetcher.token })
    assert.equal(proposal.status, 202)
    for (const holder of [shown, creator])
      assertError(await confirmAs(world.operatorApi, holder, proposal), 403, 'second_person_required')
    assert.deepEqual([await orderStatus(), (await read(id)).waits_for_booking], ['ORDERED', true])
    assert.equal((await confirmAs(world.operatorApi, second, proposal)).status, 200)
    await isPaid()
  })

  test('with credits and debits below the amount need a second person if their sum is not', async () => {
    await setThreshold('12500')
    const entries = [
      { amount: '100.00', bankReference: 'B1' },
      { amount: '25.00', isDebit: true, bankReference: 'B2' },
    ]
    const { id } = await upload(camt053({ entries }))
    const proposal = await book(id)
    assert.equal(proposal.status, 202)
    const { amount, currency } = (await clerk.get(`/approvals/${proposal.body.approval_id}`)).body
    assert.deepEqual([amount, currency], ['12500', 'EUR'])
  })

  test('that settle or return a transfer, or take a payment back, need a second person at any amount', async () => {
    await setThreshold('99999999')
    const endToEndId = crypto.randomUUID().replaceAll('-', '')
    const entries = {
      settled: { isDebit: true, endToEndId },
      returned: { endToEndId, returnCode: 'AC04' },
      'returned without its id': { returnCode: 'AC04' },
      reversed: { isDebit: true, isReversal: true },
    }
    for (const [name, entry] of Object.entries(entries)) {
      const { id } = await upload(camt053({ id: name, entries: [{ amount: '0.01', bankReference: name, ...entry }] }))
      assert.equal((await book(id)).status, 202, name)
    }
    const fee = { amount: '0.01', isDebit: true, bankReference: 'fee' }
    const { id } = await upload(camt053({ id: 'fee', entries: [fee] }))
    assert.equal((await book(id)).status, 200, 'a fee')
  })

  test('that were imported before an entry said whether it concerns a transfer need a second person', async () => {
    await setThreshold('99999999')
    const { id } = await upload(camt053({ entries: [{ amount: '1.00' }] }))
    await world.installation.rows('update cell.bank_entry set concerns_transfer = null where statement_id = $1', [id])
    assert.equal((await book(id)).status, 202)
  })
})

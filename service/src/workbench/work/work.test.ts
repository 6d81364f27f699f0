import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ChainRows } from '../../../test/harness/data/chain-rows.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { newOrder, waitingWork } from '../../../test/harness/every-operation/waiting-work.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { workKinds } from './work-kinds.ts'

describe('work', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.operatorApi()

  const scene = async (name: string) => ({ installation, api, tenantId: await installation.createTenant(name) })
  const workOf = async (tenantId: string, kind: string) => {
    const { work } = await api.call(tenantId, 'GET', '/work')
    // oxlint-disable-next-line typescript/no-explicit-any -- a test reads response bodies without types
    return work.find((one: any) => one.kind === kind)
  }

  test('the tests below cover every kind of work', () => {
    assert.deepEqual(workKinds.map(({ kind }) => kind).toSorted(), Object.keys(waitingWork).toSorted())
    assert.equal(workKinds.length, 22)
  })

  for (const [kind, prepare] of Object.entries(waitingWork))
    test(`${kind}: appears with its target, sum and age, and disappears when it is done`, async () => {
      const here = await scene(kind)
      const { tenantId } = here
      assert.deepEqual(await workOf(tenantId, kind), { kind, count: 0, is_count_exact: true, sums: [], oldest: null })
      const { target, sum, finish } = await prepare(here)

      const waiting = await workOf(tenantId, kind)
      assert.equal(waiting.count, 1)
      assert.deepEqual(waiting.sums, sum ? [sum] : [])
      const { pagination, results } = await api.call(tenantId, 'GET', `/work/${kind}`)
      assert.equal(pagination.count, 1)
      assert.equal(results.length, 1)
      assert.deepEqual(results[0].target, target)
      assert.equal(results[0].since, waiting.oldest)
      assert.deepEqual([results[0].amount, results[0].currency], [sum?.amount ?? null, sum?.currency ?? null])
      assert.ok(results[0].name.length > 0)

      await finish()
      assert.equal((await workOf(tenantId, kind)).count, 0)
      assert.deepEqual((await api.call(tenantId, 'GET', `/work/${kind}`)).results, [])
    })

  test('a user sees only the kinds of their duties', async () => {
    const { tenantId } = await scene('Duties')
    const { token } = await installation.createOperator(tenantId, { duties: ['read', 'compliance'] })
    const { work } = await api.callWith(token, 'GET', '/work')
    assert.deepEqual(pluck(work, 'kind'), [
      'approval',
      'secret_expiring',
      'approval_pending',
      'kyc_check_queued',
      'transfer_to_approve',
      'unrequested_transfer',
    ])
    await assert.rejects(api.callWith(token, 'GET', '/work/refund_due'), /403.*duty money.*insufficient_duty/)
  })

  test('a duty that is limited to an offering shows the work of that offering only', async () => {
    const here = await scene('Limited')
    const { tenantId } = here
    const orders = []
    for (const _ of [1, 2]) {
      const id = await newOrder(here, 'ORDERED', { acceptance_required: true })
      await new Fixtures(installation).pay(tenantId, id)
      orders.push(id)
    }
    const [mine = '', theirs = ''] = orders
    const { offering } = await api.call(tenantId, 'GET', `/orders/${mine}`)
    const limited = { duties: ['read', 'offerings'], offeringIds: [offering.id] } as const
    const { token } = await installation.createOperator(tenantId, limited)
    const { work } = await api.callWith(token, 'GET', '/work')
    const waiting = work.find(({ kind }: { kind: string }) => kind === 'order_to_accept')
    assert.equal(waiting.count, 1)
    const { pagination, results } = await api.callWith(token, 'GET', '/work/order_to_accept')
    assert.equal(pagination.count, 1)
    assert.deepEqual(pluck(results, 'id'), [mine])
    assert.notEqual(mine, theirs)
    assert.equal((await workOf(tenantId, 'order_to_accept')).count, 2)
  })

  test('approvals of the cell and of the directory are one list, without those of the caller', async () => {
    const { tenantId } = await scene('Approvals')
    const [one, other] = [await installation.createOperator(tenantId), await installation.createOperator(tenantId)]
    const offeringId = await new ChainRows(installation, tenantId).token()
    const action = { kind: 'PAUSE', reason: 'for a test' }
    const pairs = await api.callWith(one.token, 'POST', '/duty-pairs', { forbidden: [] })
    const paused = await api.callWith(one.token, 'POST', `/offerings/${offeringId}/token-actions`, action)
    await api.callWith(other.token, 'POST', '/duty-pairs', { forbidden: [] })
    const { results } = await api.callWith(other.token, 'GET', '/work/approval')
    assert.deepEqual(pluck(results, 'target'), [
      { type: 'directory_approval', id: pairs.approval_id },
      { type: 'approval', id: paused.approval_id },
    ])
  })

  test('counting stops at 1,000, and pages show every item once, the oldest first', async () => {
    const { tenantId } = await scene('Many')
    await installation.rows(
      `insert into cell.unassigned_payment (tenant_id, id, provider, provider_reference, amount, currency, received_at,
                                            payer, created_at, unassigned_amount)
       select $1, gen_random_uuid(), 'bank_transfer', number::text, 2, 'EUR', now(), 'x',
              now() - number / 3 * interval '1 hour', 2
       from generate_series(1, 1005) number`,
      [tenantId],
    )
    const waiting = await workOf(tenantId, 'unassigned_payment')
    assert.deepEqual([waiting.count, waiting.is_count_exact], [1000, false])
    assert.deepEqual(waiting.sums, [{ currency: 'EUR', amount: '2000.00' }])

    const seen: { id: string; since: string }[] = []
    let path: string | null = '/work/unassigned_payment?limit=100'
    while (path !== null) {
      const { pagination, results } = await api.call(tenantId, 'GET', path)
      assert.deepEqual([pagination.count, pagination.is_count_exact], [1005, true])
      seen.push(...results)
      path = pagination.next && `/work/unassigned_payment${new URL(pagination.next).search}`
    }
    assert.equal(new Set(seen.map(({ id }) => id)).size, 1005)
    assert.equal(seen.length, 1005)
    assert.deepEqual(pluck(seen, 'since'), seen.map(({ since }) => since).toSorted())
    assert.equal(seen[0]?.since, waiting.oldest)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { createTenantAndOperator } from '../../../test/harness/data/tenant-and-operator.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useOwnApis } from '../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { createQueuedCheck, createTestKycProvider } from '../../../test/harness/servers/kyc-provider.ts'
import { standardHeaders } from '../../../test/harness/servers/payment-provider.ts'
import { until } from '../../../test/harness/wait.ts'

const canary = 'Quetzalcoatl'

describe('KYC checks', async () => {
  const { installation, api, operatorApi, tenant, operator } = await createTenantAndOperator(
    await useOwnApis(),
    'all duties',
  )
  const terms = { approvals: 'apply', validity_days: 730 }
  const provider = await createTestKycProvider(installation, tenant.id, terms)

  const report = async (accountId: string, change: object = {}): Promise<string> => {
    const data = {
      reference: crypto.randomUUID(),
      account_id: accountId,
      outcome: 'approved',
      decided_at: new Date().toISOString(),
      checks: [{ name: 'passport', result: canary }],
      ...change,
    }
    const body = JSON.stringify({ type: 'kyc.decided', timestamp: new Date().toISOString(), data })
    const headers = standardHeaders(body, provider.secret)
    return (await api.call('POST', `/kyc-notifications/${provider.id}`, { body, headers })).body.outcome
  }
  const queued = async (accountId: string, outcome: 'approved' | 'rejected' = 'rejected') =>
    (await createQueuedCheck(installation, { tenantId: tenant.id, accountId }, outcome)).checkId
  const kyc = async (accountId: string) => (await operator.get(`/accounts/${accountId}`)).body.kyc.status
  const statusOf = async (checkId: string) => (await operator.get(`/kyc-checks/${checkId}`)).body.status
  const reason = { reason: 'same person' }

  test('an operator accepts or dismisses a check, once', async () => {
    const accountId = await tenant.account()
    const checkId = await queued(accountId)
    const work = await operator.get('/work/kyc_check_queued')
    assert.ok(work.text.includes(accountId), work.text)
    assertError(
      await operator.post(`/kyc-checks/${checkId}/accept?expected_status=applied`, reason),
      409,
      'status_changed',
    )
    const accepted = await operator.post(`/kyc-checks/${checkId}/accept`, reason)
    assert.deepEqual([accepted.status, accepted.body.status, await kyc(accountId)], [200, 'applied', 'REJECTED'])
    assert.equal((await operator.post(`/kyc-checks/${checkId}/accept`, reason)).status, 200)
    assertError(await operator.post(`/kyc-checks/${checkId}/dismiss`, reason), 409, 'kyc_check_not_queued')
    const other = await queued(await tenant.account())
    assert.equal((await operator.post(`/kyc-checks/${other}/dismiss`, reason)).body.status, 'dismissed')
    assertError(await operator.post(`/kyc-checks/${other}/accept`, reason), 409, 'kyc_check_not_queued')
  })

  test('approving a rejected account needs a second person by the policy, as a decision about it does', async () => {
    const accountId = await tenant.account()
    await operator.post(`/accounts/${accountId}/decision`, { kyc: 'REJECTED', reason: 'on a list' })
    const checkId = await queued(accountId, 'approved')
    await installation.useDefaultPolicies(tenant.id, 'kyc_reapproval')
    const proposal = await operator.post(`/kyc-checks/${checkId}/accept`, reason)
    assert.deepEqual([proposal.status, await kyc(accountId)], [202, 'REJECTED'])
    const second = await installation.createOperator(tenant.id)
    const confirmed = await confirmAs(operatorApi, second, proposal)
    assert.deepEqual([confirmed.status, await kyc(accountId)], [200, 'APPROVED'], confirmed.text)
  })

  test('an approval whose validity has ended cannot be accepted', async () => {
    const checkId = await queued(await tenant.account(), 'approved')
    await installation.rows('update cell.kyc_check set valid_until = now() where id = $1', [checkId])
    assertError(await operator.post(`/kyc-checks/${checkId}/accept`, reason), 409, 'kyc_check_expired')
    assert.equal(await statusOf(checkId), 'queued')
  })

  test('the details of a check are sealed, shown to those who may see them, and erased with the account', async () => {
    const accountId = await tenant.account()
    assert.equal(await report(accountId), 'applied')
    const [check] = (await operator.get(`/kyc-checks?account_id=${accountId}`)).body.results
    assert.ok(!JSON.stringify(check).includes(canary))
    const stored = await installation.rows('select * from cell.kyc_check where id = $1', [check.id])
    assert.ok(!JSON.stringify(stored).includes(canary))
    const revealed = await operator.post(`/kyc-checks/${check.id}/reveal`)
    assert.ok(revealed.text.includes(canary), revealed.text)
    const audit = await operator.get(`/audit?subject_id=${check.id}`)
    assert.equal(audit.body.results[0].action, 'kyc_check.revealed')
    const waiting = await queued(accountId)
    const second = await installation.createOperator(tenant.id)
    const erased = await confirmAs(operatorApi, second, await operator.post(`/accounts/${accountId}/erase`, reason))
    assert.equal(erased.status, 200, erased.text)
    assert.equal((await operator.post(`/kyc-checks/${check.id}/reveal`)).body.details, null)
    const rows = await installation.rows(
      'select details, status from cell.kyc_check where account_id = $1 order by id',
      [accountId],
    )
    assert.deepEqual(rows, [
      { details: null, status: 'applied' },
      { details: null, status: 'dismissed' },
    ])
    assert.equal(await statusOf(waiting), 'dismissed')
    // Nothing may add data to an erased account.
    assert.equal(await report(accountId), 'unknown_account')
  })

  test('an approval that expires removes the mint precondition, and a renewal restores it', async () => {
    const accountId = await tenant.account()
    await tenant.fixtures.wallet(tenant.id, accountId)
    const orderId = await tenant.order(await tenant.fixtures.offering(tenant.id), accountId)
    await tenant.fixtures.pay(tenant.id, orderId)
    await installation.startWorker()
    const isOrder = (status: string) =>
      until(`the order is ${status}`, async () => (await operator.get(`/orders/${orderId}`)).body.status === status)
    assert.equal(await report(accountId), 'applied')
    await isOrder('READYTOMINT')
    const rows = await installation.rows<{ days: number }>(
      `update cell.account_approval set valid_until = now() where account_id = $1
         returning (select round(extract(epoch from valid_until - decided_at) / 86400)::int
                    from cell.account_approval before where before.account_id = $1) as days`,
      [accountId],
    )
    assert.deepEqual(rows, [{ days: 730 }])
    await isOrder('PAID')
    assert.equal(await kyc(accountId), 'PENDING')
    const { blockers } = (await operator.get(`/orders/${orderId}`)).body
    assert.deepEqual(pluck(blockers, 'code'), ['approval_missing'])
    await until('the event is numbered', async () => {
      const { events } = (await tenant.get('/events?limit=50&type=account.approval_changed')).body
      const last = events.at(-1)?.data
      return last?.account_id === accountId && last.status === 'PENDING' && last.previous_status === 'APPROVED'
    })
    assert.equal(await report(accountId), 'applied')
    await isOrder('READYTOMINT')
  })
})

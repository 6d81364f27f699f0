import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { WalletOwner } from '../../../../test/harness/chain/wallet-owner.ts'
import { recordedChanges } from '../../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../../test/harness/installation/test-users.ts'

const defaults = {
  approval_expiry_days: 7,
  refund_hold_days: 7,
  refund_name_similarity_percent: 60,
  retention_years: 10,
  time_zone: 'UTC',
  wallet_proof_url: null,
  mails_proposals: true,
  mails_disabled_endpoints: true,
}

describe('the settings of a tenant', async () => {
  let tenant: TestTenant
  let operator: OperatorClient
  let second: TestOperator

  const installation = await sharedInstallation()
  after(() => installation.end())
  const [integrators, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  beforeEach(async () => {
    tenant = await TestTenant.create(installation, integrators)
    operator = await OperatorClient.create(installation, operatorApi, tenant.id, 'all duties')
    second = await installation.createOperator(tenant.id)
  })

  const change = (body: object) => operator.patch('/settings', body)
  const changed = async (body: object) => confirmAs(operatorApi, second, await change(body))
  const approvalMails = async () => {
    const rows = await installation.rows(
      `select from graphile_worker._private_jobs jobs
       join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
       where tasks.identifier = 'mail-approval' and jobs.payload ->> 'tenant_id' = $1`,
      [tenant.id],
    )
    return rows.length
  }

  test('a change that weakens a control waits for a second person; one that strengthens it does not', async () => {
    assert.deepEqual((await operator.get('/settings')).body, defaults)
    const stronger = {
      approval_expiry_days: 2,
      refund_hold_days: 14,
      refund_name_similarity_percent: 80,
      retention_years: 12,
      time_zone: 'Europe/Berlin',
    }
    const response = await change(stronger)
    assert.deepEqual([response.status, response.body], [200, { ...defaults, ...stronger }], response.text)
    for (const weaker of [
      { approval_expiry_days: 3 },
      { refund_hold_days: 13 },
      { refund_name_similarity_percent: 79 },
      { retention_years: 11 },
      { wallet_proof_url: 'https://invest.example.com' },
      { mails_proposals: false },
      { mails_disabled_endpoints: false },
      // One weaker setting among others that are not.
      { retention_years: 30, refund_hold_days: 0 },
    ])
      assert.equal((await change(weaker)).status, 202, JSON.stringify(weaker))
    assert.deepEqual((await operator.get('/settings')).body, { ...defaults, ...stronger }, 'proposals change nothing')
    for (const body of [{}, { time_zone: 'Mars/Olympus' }, { retention_years: 0 }])
      assertError(await change(body), 400, 'validation_failed')
    // Sites for which no wallet challenge can be written.
    for (const site of [
      'http://a.de',
      'https://a..de',
      'https://-a.de',
      'https://a-.de',
      `https://${'a'.repeat(64)}.de`,
    ])
      assertError(await change({ wallet_proof_url: site }), 400, 'validation_failed')
    const [entry, ...others] = await recordedChanges(installation, tenant.id)
    assert.deepEqual([entry?.before['retention_years'], entry?.after['retention_years'], others.length], [10, 12, 0])
  })

  test('a proposal to weaken them is void if they have changed since', async () => {
    const proposal = await change({ refund_hold_days: 1 })
    await change({ time_zone: 'Europe/Paris' })
    assertError(await confirmAs(operatorApi, second, proposal), 409, 'subject_changed')
  })

  test('proposals expire as set, and mail those who can confirm them unless that is switched off', async () => {
    await change({ approval_expiry_days: 2 })
    const { approval_id: approvalId } = (await change({ mails_proposals: false })).body
    const approval = (await operator.get(`/approvals/${approvalId}`)).body
    assert.equal(Date.parse(approval.expires_at) - Date.parse(approval.proposed_at), 2 * 86_400_000)
    assert.equal(await approvalMails(), 1)
    await operatorApi.call('POST', `/approvals/${approvalId}/confirm`, { cookie: second.cookie })
    assert.equal((await change({ retention_years: 1 })).status, 202)
    assert.equal(await approvalMails(), 1)
  })

  test('wallet challenges name the site of the tenant, and a proof for another site does not count', async () => {
    const accountId = await tenant.account()
    const earlier = await new WalletOwner().register(operator, accountId)
    assert.equal((await changed({ wallet_proof_url: 'https://invest.example.com' })).status, 200)
    const owner = new WalletOwner()
    const { id, challenge } = await owner.register(operator, accountId)
    assert.match(challenge, /^invest\.example\.com wants you to sign in/)
    assert.match(challenge, /URI: https:\/\/invest\.example\.com\n/)
    assert.ok(!earlier.challenge.startsWith('invest'))
    const path = `/accounts/${accountId}/wallets/${id}/prove`
    const foreign = challenge.replaceAll('invest.example.com', 'evil.example.com')
    const forged = { message: foreign, signature: await owner.sign(foreign) }
    assertError(await operator.post(path, forged), 409, 'wallet_proof_invalid')
    const proven = await operator.post(path, { message: challenge, signature: await owner.sign(challenge) })
    assert.deepEqual([proven.status, proven.body.status], [200, 'ACTIVE'], proven.text)
  })
})

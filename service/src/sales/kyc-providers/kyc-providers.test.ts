import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { company } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { createTenantAndOperator } from '../../../test/harness/data/tenant-and-operator.ts'
import { type ApiResponse, assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useOwnApis } from '../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { createTestKycProvider, sumsubHeaders, sumsubSecret } from '../../../test/harness/servers/kyc-provider.ts'
import { createProvider, standardHeaders } from '../../../test/harness/servers/payment-provider.ts'
import { until } from '../../../test/harness/wait.ts'

const minute = 60_000

describe('KYC providers', async () => {
  const {
    installation,
    api,
    operatorApi,
    tenant,
    operator: admin,
  } = await createTenantAndOperator(await useOwnApis(), 'admin')
  const apply = { approvals: 'apply' }
  const ofSumsub = { kind: 'sumsub', secret: sumsubSecret, ...apply }
  const sumsub = await createTestKycProvider(installation, tenant.id, ofSumsub)
  const acme = await createTestKycProvider(installation, tenant.id, apply)
  const queueing = await createTestKycProvider(installation, tenant.id)
  const green = { reviewAnswer: 'GREEN' }

  const send = (providerId: string, body: string, headers: Record<string, string>): Promise<ApiResponse> =>
    api.call('POST', `/kyc-notifications/${providerId}`, { body, headers })
  const sendStandard = (body: string, { id, secret } = acme) => send(id, body, standardHeaders(body, secret))
  const sendSumsub = (body: string) => send(sumsub.id, body, sumsubHeaders(body, sumsubSecret))
  const assertOutcome = async (response: Promise<ApiResponse>, outcome: string) => {
    const { status, body, text } = await response
    assert.deepEqual([status, body.outcome], [200, outcome], text)
  }
  const kyc = async (accountId: string) => (await admin.get(`/accounts/${accountId}`)).body.kyc.status
  const checksOf = async (accountId: string) =>
    (await admin.get(`/kyc-checks?account_id=${accountId}&direction=asc`)).body.results
  const ago = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString()

  const standard = (accountId: string, change: object = {}) =>
    JSON.stringify({
      type: 'kyc.decided',
      timestamp: ago(0),
      data: {
        reference: crypto.randomUUID(),
        account_id: accountId,
        outcome: 'approved',
        decided_at: ago(0),
        ...change,
      },
    })
  /** Formats a review as Sumsub sends it, with members that we do not read. */
  const reviewed = (accountId: string, reviewResult: object, change: object = {}) =>
    JSON.stringify({
      applicantId: crypto.randomUUID().replaceAll('-', '').slice(0, 24),
      inspectionId: '5cb744200a975a67ed1798a5',
      correlationId: 'req-fa94263f-0b23-42d7-9393-ab10b28ef42d',
      externalUserId: accountId,
      levelName: 'basic-kyc-level',
      applicantType: 'individual',
      type: 'applicantReviewed',
      reviewResult,
      reviewStatus: 'completed',
      sandboxMode: true,
      createdAtMs: ago(0).replace('T', ' ').replace('Z', ''),
      ...change,
    })

  test('an approval by Sumsub approves the account, and the decision names the check', async () => {
    const accountId = await tenant.account()
    await assertOutcome(sendSumsub(reviewed(accountId, green)), 'applied')
    assert.equal(await kyc(accountId), 'APPROVED')
    const [check] = await checksOf(accountId)
    assert.deepEqual([check.kind, check.outcome, check.status], ['kyc', 'approved', 'applied'])
    const { body } = await admin.get(`/audit?subject_id=${accountId}`)
    const entry = body.results.find((one: { action: string }) => one.action === 'account.kyc_changed')
    assert.deepEqual([entry.actor_type, entry.after], ['system', { status: 'APPROVED', check_id: check.id }])
  })

  test('a company gets its kyb approved, with a Standard Webhooks signature and SHA-512 of Sumsub alike', async () => {
    const [one, two] = [await tenant.account(company), await tenant.account(company)]
    await assertOutcome(sendStandard(standard(one)), 'applied')
    const ofCompany = { levelName: 'basic-kyb-level', applicantType: 'company' }
    const body = reviewed(two, green, ofCompany)
    await assertOutcome(send(sumsub.id, body, sumsubHeaders(body, sumsubSecret, 'sha512')), 'applied')
    for (const id of [one, two]) {
      const { kyc: person, kyb } = (await admin.get(`/accounts/${id}`)).body
      assert.deepEqual([person.status, kyb.status], ['NEW', 'APPROVED'])
    }
  })

  test('a review of another level or kind of applicant approves nothing, and says why it waits', async () => {
    const [person, issuer] = [await tenant.account(), await tenant.account(company)]
    const kept: [accountId: string, change: object, reason: string][] = [
      [issuer, {}, 'other_applicant_type'],
      [issuer, { levelName: 'basic-kyb-level' }, 'other_applicant_type'],
      [person, { levelName: 'phone-and-email-only' }, 'level_not_listed'],
      [person, { levelName: 'basic-kyb-level', applicantType: 'company' }, 'other_applicant_type'],
      [person, { levelName: undefined, applicantType: undefined }, 'other_applicant_type'],
    ]
    for (const [accountId, change, reason] of kept) {
      await assertOutcome(sendSumsub(reviewed(accountId, green, change)), 'queued')
      const check = (await checksOf(accountId)).at(-1)
      assert.equal(check.held_because, reason)
      const accepted = await admin.post(`/kyc-checks/${check.id}/accept`, { reason: 'looks fine' })
      assertError(accepted, 409, 'kyc_check_held')
    }
    assert.equal(await kyc(person), 'NEW')
    assert.equal((await admin.get(`/accounts/${issuer}`)).body.kyb.status, 'NEW')
  })

  test('a check of a phone number neither replaces a rejection nor makes an earlier approval late', async () => {
    const accountId = await tenant.account()
    const time = (minutes: number) => ago(minutes).replace('T', ' ').replace('Z', '')
    const rejected = reviewed(accountId, { reviewAnswer: 'RED' }, { createdAtMs: time(3) })
    await assertOutcome(sendSumsub(rejected), 'queued')
    const phone = { levelName: 'phone-and-email-only', createdAtMs: time(1) }
    await assertOutcome(sendSumsub(reviewed(accountId, green, phone)), 'queued')
    const statuses = async () => pluck(await checksOf(accountId), 'status')
    assert.deepEqual(await statuses(), ['queued', 'queued'])
    const approved = reviewed(accountId, green, { createdAtMs: time(2) })
    await assertOutcome(sendSumsub(approved), 'applied')
    assert.equal(await kyc(accountId), 'APPROVED')
  })

  test('a provider without levels approves nothing until a second person confirms its levels', async () => {
    const none = { kind: 'sumsub', secret: sumsubSecret, approvals: 'apply', kyc_levels: [], kyb_levels: [] }
    const other = await TestTenant.create(installation, api)
    const provider = await createTestKycProvider(installation, other.id, none)
    const accountId = await other.account()
    const body = reviewed(accountId, green)
    const sent = send(provider.id, body, sumsubHeaders(body, sumsubSecret))
    await assertOutcome(sent, 'queued')
    await installation.useDefaultPolicies(other.id)
    const theirs = await OperatorClient.create(installation, operatorApi, other.id, 'admin')
    const path = `/kyc-providers/${provider.id}`
    const changed = await theirs.patch(path, { kyc_levels: ['basic-kyc-level'] })
    assert.equal(changed.status, 202, changed.text)
    const second = await installation.createOperator(other.id)
    const { result } = (await confirmAs(operatorApi, second, changed)).body
    assert.deepEqual([result.kyc_levels, result.kyb_levels], [['basic-kyc-level'], []])
    // Removing a level needs no second person.
    const narrowed = await theirs.patch(path, { kyc_levels: [] })
    assert.equal(narrowed.status, 200, narrowed.text)
    assertInvalid(await admin.patch(`/kyc-providers/${acme.id}`, { kyc_levels: [] }))
  })

  test('forged, altered, unsigned, SHA-1 and foreign requests get the same 401, and nothing is stored', async () => {
    const accountId = await tenant.account()
    const other = await createTestKycProvider(installation, tenant.id)
    const payments = await createProvider(installation, tenant.id)
    const body = reviewed(accountId, green)
    const plain = standard(accountId)
    await admin.post(`/kyc-providers/${other.id}/disable`)
    const responses = [
      await send(sumsub.id, body.replace('GREEN', 'GREY'), sumsubHeaders(body, sumsubSecret)),
      await send(sumsub.id, body, sumsubHeaders(body, 'another-secret-0123456789')),
      await send(sumsub.id, body, sumsubHeaders(body, sumsubSecret, 'sha1')),
      await send(sumsub.id, body, { ...sumsubHeaders(body, sumsubSecret), 'x-payload-digest-alg': 'none' }),
      await send(sumsub.id, body, { 'x-payload-digest-alg': 'HMAC_SHA256_HEX', 'x-payload-digest': '' }),
      await send(sumsub.id, body, {}),
      await send(sumsub.id, plain, standardHeaders(plain, acme.secret)),
      await send(acme.id, plain, standardHeaders(plain, queueing.secret)),
      await send(acme.id, plain, standardHeaders(plain, acme.secret, Date.now() - 6 * minute)),
      await send(other.id, plain, standardHeaders(plain, other.secret)),
      await send(payments.id, plain, standardHeaders(plain, payments.secret)),
      await send(crypto.randomUUID(), plain, standardHeaders(plain, acme.secret)),
    ]
    for (const [index, response] of responses.entries()) {
      assertError(response, 401, 'signature_invalid')
      assert.equal(response.text, responses[0]?.text, `response ${index}`)
    }
    assert.deepEqual([await kyc(accountId), await checksOf(accountId)], ['NEW', []])
  })

  test('the same notification sent 100 times concurrently, and again later, has one effect', async () => {
    const accountId = await tenant.account()
    const body = reviewed(accountId, green)
    const responses = await Promise.all(Array.from({ length: 100 }, () => sendSumsub(body)))
    // At most 100 requests wait for a database connection; a provider that gets 503 sends the notification again.
    for (const { status, body: result } of responses)
      assert.ok(status === 503 || (status === 200 && result.outcome === 'applied'), `${status}`)
    await assertOutcome(sendSumsub(body), 'applied')
    assert.equal((await checksOf(accountId)).length, 1)
    const rows = await installation.rows(
      `select from base.audit_log where subject_id = $1 and action = 'account.kyc_changed'`,
      [accountId],
    )
    assert.equal(rows.length, 1)
    // An operator withdraws the approval: the same notification does not bring it back.
    await admin.post(`/accounts/${accountId}/decision`, { kyc: 'PENDING', reason: 'new passport' })
    await assertOutcome(sendSumsub(body), 'applied')
    assert.equal(await kyc(accountId), 'PENDING')
  })

  test('the newest result counts, in whichever order results arrive', async () => {
    const accountId = await tenant.account()
    const older = standard(accountId, { outcome: 'rejected', decided_at: ago(10) })
    await assertOutcome(sendStandard(standard(accountId, { decided_at: ago(5) })), 'applied')
    await assertOutcome(sendStandard(older), 'outdated')
    assert.equal(await kyc(accountId), 'APPROVED')
    const other = await tenant.account()
    await assertOutcome(sendStandard(standard(other, { outcome: 'rejected', decided_at: ago(5) })), 'queued')
    await assertOutcome(sendStandard(standard(other, { decided_at: ago(10) })), 'outdated')
    assert.equal(await kyc(other), 'NEW')
    // The later result may be of the same provider or of another.
    await assertOutcome(sendSumsub(reviewed(other, green)), 'applied')
    assert.deepEqual(pluck(await checksOf(other), 'status'), ['outdated', 'outdated', 'applied'])
  })

  test('a late approval never overrides what a person decided meanwhile', async () => {
    const accountId = await tenant.account()
    const earlier = ago(1)
    await admin.post(`/accounts/${accountId}/decision`, { kyc: 'REJECTED', reason: 'on a list' })
    await assertOutcome(sendStandard(standard(accountId, { decided_at: earlier })), 'outdated')
    assert.equal(await kyc(accountId), 'REJECTED')
    // A newer approval waits for a person, who needs a second one by the policy.
    await assertOutcome(sendStandard(standard(accountId)), 'queued')
    assert.equal(await kyc(accountId), 'REJECTED')
  })

  test('rejections wait for an operator, and a final one makes later approvals wait', async () => {
    const accountId = await tenant.account()
    const retry = reviewed(accountId, { reviewAnswer: 'RED', reviewRejectType: 'RETRY' })
    await assertOutcome(sendSumsub(retry), 'queued')
    const final = reviewed(accountId, { reviewAnswer: 'RED', reviewRejectType: 'FINAL' })
    await assertOutcome(sendSumsub(final), 'queued')
    await assertOutcome(sendSumsub(reviewed(accountId, green)), 'queued')
    assert.equal(await kyc(accountId), 'NEW')
    const checks = await checksOf(accountId)
    assert.deepEqual(pluck(checks, 'status'), ['outdated', 'queued', 'queued'])
    assert.deepEqual(pluck(checks, 'is_final'), [false, true, false])
  })

  test('a foreign account, another type, another mode or an invalid body changes nothing', async () => {
    const stranger = await TestTenant.create(installation, api)
    const foreign = await stranger.account()
    for (const id of [foreign, crypto.randomUUID()]) await assertOutcome(sendStandard(standard(id)), 'unknown_account')
    await assertOutcome(sendSumsub(reviewed('customer 7', green)), 'unknown_account')
    assert.equal((await stranger.get(`/accounts/${foreign}`)).body.kyc.status, 'NEW')
    await assertOutcome(sendStandard(JSON.stringify({ type: 'kyc.started' })), 'ignored')
    await assertOutcome(sendSumsub(JSON.stringify({ type: 'applicantPending' })), 'ignored')
    const accountId = await tenant.account()
    const live = reviewed(accountId, green, { sandboxMode: false })
    assertError(await sendSumsub(live), 400, 'kyc_mode_mismatch')
    for (const change of [{ outcome: 'maybe' }, { decided_at: ago(-10) }, { more: 1 }, { account_id: 'x' }])
      assertInvalid(await sendStandard(standard(accountId, change)))
    for (const change of [{ createdAtMs: '2026-99-99 10:00:00.000' }, { reviewResult: {} }, { applicantId: '/' }])
      assertInvalid(await sendSumsub(reviewed(accountId, green, change)))
    assert.deepEqual([await kyc(accountId), await checksOf(accountId)], ['NEW', []])
  })

  test('after a rotation both secrets are valid; the secret is shown once and stored sealed', async () => {
    const created = await admin.post('/kyc-providers', { kind: 'standard', name: 'acme-id', validity_days: 365 })
    assert.equal(created.status, 201, created.text)
    const { id, secret, approvals, validity_days: days } = created.body
    assert.deepEqual([approvals, days, created.body.notification_path], ['queue', 365, `/api/kyc-notifications/${id}`])
    assertError(await admin.post('/kyc-providers', { kind: 'standard', name: 'acme-id' }), 409, 'kyc_provider_exists')
    const ping = JSON.stringify({ type: 'ping' })
    const status = async (key: string) => (await send(id, ping, standardHeaders(ping, key))).status
    assert.equal(await status(secret), 401)
    await installation.startWorker()
    await until('notifications are accepted', async () => (await status(secret)) === 200)
    const rotated = (await admin.post(`/kyc-providers/${id}/rotate`, {})).body.secret
    assert.deepEqual([await status(secret), await status(rotated)], [200, 200])
    const listed = await admin.get('/kyc-providers')
    assert.ok(!listed.text.includes('whsec_'))
    const rows = await installation.rows('select secret from cell.kyc_provider')
    for (const row of rows) assert.ok(!row.secret.includes('whsec_') && !row.secret.includes(sumsubSecret))
    const changed = await admin.patch(`/kyc-providers/${id}`, { approvals: 'apply', validity_days: null })
    assert.deepEqual([changed.body.approvals, changed.body.validity_days], ['apply', null])
    await admin.post(`/kyc-providers/${id}/disable`)
    assertError(await admin.post(`/kyc-providers/${id}/rotate`, {}), 409, 'kyc_provider_disabled')
    assertError(await admin.patch(`/kyc-providers/${id}`, { approvals: 'queue' }), 409, 'kyc_provider_disabled')
    assert.equal(await status(rotated), 401)
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { WalletOwner } from '../../../../test/harness/chain/wallet-owner.ts'
import { newOffering } from '../../../../test/harness/data/bodies.ts'
import { type ApiResponse, assertError, type Call } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../../test/harness/installation/test-users.ts'
import { createOperatorWorld } from '../../../../test/harness/operator-requests/operator-world.ts'
import { until, waitingForLocks } from '../../../../test/harness/wait.ts'

describe('approvals', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const tenantId = await installation.createTenant('A', { policies: 'default' })
  const proposer = await installation.createOperator(tenantId)
  const second = await installation.createOperator(tenantId)

  const newAddress = () => `${crypto.randomUUID()}@example.com`
  const invite = async (by = proposer, email = newAddress()): Promise<string> => {
    const response = await api.call('POST', '/users', {
      token: by.token,
      body: { name: 'Grace Hopper', email, role: 'viewer' },
    })
    assert.equal(response.status, 202, response.text)
    return response.body.approval_id
  }
  const decide = (approvalId: string, verb: string, proof: Call): Promise<ApiResponse> =>
    api.call('POST', `/directory-approvals/${approvalId}/${verb}`, proof)
  const confirm = (approvalId: string, by: TestOperator = second) =>
    decide(approvalId, 'confirm', { cookie: by.cookie })
  const sql = (text: string, values: unknown[]) => installation.rows(text, values)
  const usersNamed = async (email: string) =>
    (await sql('select from directory.operator_user where email = $1', [email])).length

  test('nothing happens until a second person confirms; then the audit log names both', async () => {
    const email = newAddress()
    const approvalId = await invite(proposer, email)
    assert.equal(await usersNamed(email), 0)
    const shown = await api.call('GET', `/directory-approvals/${approvalId}`, { token: second.token })
    assert.equal(shown.body.request.body.email, email)
    assert.equal(shown.body.state, 'pending')
    const response = await confirm(approvalId)
    assert.equal(response.status, 200, response.text)
    assert.equal(response.body.approval.state, 'confirmed')
    assert.equal(response.body.result.email, email)
    assert.equal(await usersNamed(email), 1)
    const rows = await sql(
      'select actor_id, confirmed_by, approval_id from base.audit_log where action = $1 and subject_id = $2',
      ['user.invited', response.body.result.id],
    )
    assert.deepEqual(rows, [{ actor_id: proposer.userId, confirmed_by: second.userId, approval_id: approvalId }])
  })

  test('a request that cannot succeed is rejected at once and leaves no approval', async () => {
    const email = newAddress()
    await confirm(await invite(proposer, email))
    const earlier = await sql('select count(*) from base.approval', [])
    const body = { name: 'x', email, role: 'viewer' }
    assertError(await api.call('POST', '/users', { token: proposer.token, body }), 409, 'user_exists')
    assert.deepEqual(await sql('select count(*) from base.approval', []), earlier)
  })

  test('the proposer cannot confirm, nor can the same person as another user of the tenant', async () => {
    const approvalId = await invite()
    assertError(await confirm(approvalId, proposer), 403, 'second_person_required')
    await assert.rejects(
      installation
        .createOperator(tenantId, { person: { issuer: 'https://id.example.com', subject: 'one' } })
        .then(() =>
          installation.createOperator(tenantId, { person: { issuer: 'https://id.example.com', subject: 'one' } }),
        ),
      /already/,
    )
  })

  test('someone whom the proposer invited less than seven days ago cannot confirm', async () => {
    const invited = await installation.createOperator(tenantId, { invitedBy: proposer.userId })
    const approvalId = await invite()
    assertError(await confirm(approvalId, invited), 403, 'second_person_too_new')
    await sql("update directory.operator_user set created_at = now() - interval '8 days' where id = $1", [
      invited.userId,
    ])
    assertError(await confirm(approvalId, invited), 403, 'second_person_too_new')
    await sql("update directory.operator_duty set granted_at = now() - interval '8 days' where user_id = $1", [
      invited.userId,
    ])
    assert.equal((await confirm(approvalId, invited)).status, 200)
  })

  test('someone who invited the proposer less than seven days ago cannot confirm', async () => {
    const invited = await installation.createOperator(tenantId, { invitedBy: second.userId })
    const approvalId = await invite(invited)
    assertError(await confirm(approvalId, second), 403, 'second_person_too_new')
    await sql("update directory.operator_user set created_at = now() - interval '8 days' where id = $1", [
      invited.userId,
    ])
    assert.equal((await confirm(approvalId, second)).status, 200)
  })

  test('a token cannot confirm, nor a session whose passkey was used more than five minutes ago', async () => {
    const approvalId = await invite()
    assertError(await decide(approvalId, 'confirm', { token: second.token }), 403, 'session_required')
    const stale = await installation.createOperator(tenantId)
    await sql("update directory.operator_session set stepped_up_at = now() - interval '5 minutes' where id = $1", [
      stale.sessionId,
    ])
    assertError(await confirm(approvalId, stale), 403, 'step_up_needed')
    await sql('update directory.operator_session set stepped_up_at = null where id = $1', [stale.sessionId])
    assertError(await confirm(approvalId, stale), 403, 'step_up_needed')
  })

  test('confirming needs the duty', async () => {
    const other = await installation.createOperator(tenantId, { role: 'operator' })
    const response = await confirm(await invite(), other)
    assertError(response, 403, 'insufficient_duty')
    assert.match(response.body.error.message, /team/)
  })

  test('a decided or expired approval cannot be confirmed', async () => {
    const [confirmed, rejected, withdrawn, expired] = [await invite(), await invite(), await invite(), await invite()]
    assert.equal((await confirm(confirmed)).status, 200)
    assert.equal((await decide(rejected, 'reject', { token: second.token })).body.state, 'rejected')
    assertError(await decide(withdrawn, 'withdraw', { token: second.token }), 403, 'insufficient_duty')
    assert.equal((await decide(withdrawn, 'withdraw', { token: proposer.token })).body.state, 'withdrawn')
    await sql('update base.approval set expires_at = now() where id = $1', [expired])
    for (const id of [confirmed, rejected, withdrawn, expired])
      assertError(await confirm(id), 409, 'approval_not_pending')
  })

  test('a confirmation is rejected if the subject has changed since the proposal', async () => {
    const target = await installation.createOperator(tenantId, { role: 'viewer' })
    const change = (role: string) =>
      api.call('PATCH', `/users/${target.userId}`, { token: proposer.token, body: { role } })
    const [first, other] = [(await change('operator')).body.approval_id, (await change('admin')).body.approval_id]
    assert.equal((await confirm(first)).status, 200)
    assertError(await confirm(other), 409, 'subject_changed')
  })

  test('a subject that changes while its confirmation waits for it is not the one that was confirmed', async () => {
    const target = await installation.createOperator(tenantId, { role: 'viewer' })
    const body = { role: 'operator' }
    const proposed = await api.call('PATCH', `/users/${target.userId}`, { token: proposer.token, body })
    const response = await installation.owner(async (client) => {
      await client.query('begin')
      await client.query(`update directory.operator_user set name = 'Changed' where id = $1`, [target.userId])
      const confirmation = confirm(proposed.body.approval_id)
      await until('the confirmation waits for the lock', async () => (await waitingForLocks(installation)) === 1)
      await client.query('commit')
      return confirmation
    })
    assertError(response, 409, 'subject_changed')
  })

  test('a change in the cell is stored sealed, apart from changes in the directory, and takes effect once confirmed', async () => {
    const call = (method: string, path: string, body?: object) =>
      api.call(method, path, { token: proposer.token, body })
    const { id: offeringId } = (await call('POST', '/offerings', newOffering)).body
    const proposed = await call('POST', `/offerings/${offeringId}/open`)
    assert.equal(proposed.status, 202, proposed.text)
    const { approval_id: approvalId } = proposed.body
    assertError(await confirm(approvalId), 404, 'not_found')
    assertError(await call('GET', `/directory-approvals/${approvalId}`), 404, 'not_found')
    assertError(await call('GET', `/approvals/${await invite()}`), 404, 'not_found')
    const isListed = async (path: string) => (await call('GET', path)).text.includes(approvalId)
    assert.deepEqual([await isListed('/approvals'), await isListed('/directory-approvals')], [true, false])
    assert.deepEqual((await call('GET', `/approvals/${approvalId}`)).body.request.params, { offeringId })
    const rows = await sql('select request from base.approval where id = $1', [approvalId])
    assert.ok(!rows[0].request.toString('latin1').includes(offeringId), 'the request is sealed')
    assert.equal((await call('GET', `/offerings/${offeringId}`)).body.status, 'DRAFT')
    const confirmed = await api.call('POST', `/approvals/${approvalId}/confirm`, { cookie: second.cookie })
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal((await call('GET', `/offerings/${offeringId}`)).body.status, 'OPEN')
  })

  test('lists and approvals name people, subjects and offerings beside their ids', async () => {
    const world = await createOperatorWorld(installation, 'Names')
    await installation.useDefaultPolicies(world.tenantId)
    const [one, two] = [
      await installation.createOperator(world.tenantId),
      await installation.createOperator(world.tenantId),
    ]
    const read = async (path: string) => (await api.call('GET', path, { token: one.token })).body
    const rowsOf = async (text: string, id: string) => (await sql(text, [id]))[0]
    const userName = async (id: string) =>
      (await rowsOf('select name from directory.operator_user where id = $1', id)).name
    const referenceOf = (from: string, id: string) =>
      rowsOf(`select payment_reference as name from cell.token_order where id = (${from})`, id)
    const { accountId, orderId, refundId, bookedPaymentId, providerId, offeringId, userId } = world
    const payment = { amount: '1.00', currency: 'EUR', reference: 'desk 7', received_at: '2026-07-02T10:00:00.000Z' }
    const account = await rowsOf('select full_name as name from cell.account where id = $1', accountId)
    const offering = await rowsOf('select name from cell.offering where id = $1', offeringId)
    const expected: [path: string, body: object | undefined, subject: string, name: string][] = [
      [`/accounts/${accountId}/wallets`, new WalletOwner().body(), 'account', account.name],
      [`/offerings/${offeringId}/open`, undefined, 'offering', offering.name],
      [`/orders/${orderId}/payments`, payment, 'order', (await referenceOf('$1', orderId)).name],
      [
        `/refunds/${refundId}/approve-account`,
        undefined,
        'refund',
        (await referenceOf('select order_id from cell.refund where id = $1', refundId)).name,
      ],
      [
        `/payments/${bookedPaymentId}/reverse`,
        { reason: 'wrong order' },
        'payment',
        (await referenceOf('select order_id from cell.payment where id = $1', bookedPaymentId)).name,
      ],
      [
        `/payment-providers/${providerId}/rotate`,
        {},
        'payment_provider',
        (await rowsOf('select name from cell.payment_provider where id = $1', providerId)).name,
      ],
    ]
    for (const [path, body] of expected) {
      const response = await api.call('POST', path, { token: one.token, body })
      assert.equal(response.status, 202, `${path}: ${response.text}`)
    }
    await api.call('PATCH', `/users/${userId}`, { token: one.token, body: { role: 'viewer' } })
    const { results } = await read('/approvals?state=pending')
    const proposerName = await userName(one.userId)
    for (const [, , subject, name] of expected) {
      const { id, ...listed } = results.find(
        (approval: { subject_type: string; proposed_by: string }) =>
          approval.subject_type === subject && approval.proposed_by === one.userId,
      )
      assert.deepEqual([listed.subject_name, listed.proposed_by_name], [name, proposerName], subject)
      assert.equal(listed.decided_by_name, null)
      assert.equal(listed.offering_name, subject === 'offering' ? name : null)
      const { request: _, ...shown } = await read(`/approvals/${id}`)
      assert.deepEqual(shown, { id, ...listed })
    }
    const [change] = (await read('/directory-approvals?state=pending')).results
    assert.deepEqual([change.subject_type, change.subject_name], ['user', await userName(userId)])
    await api.call('POST', `/directory-approvals/${change.id}/reject`, { cookie: two.cookie })
    const decided = await read(`/directory-approvals/${change.id}`)
    assert.deepEqual([decided.proposed_by_name, decided.decided_by_name], [proposerName, await userName(two.userId)])
  })

  test('a proposal is void once its proposer is removed or loses the duty', async () => {
    const [removed, demoted] = [
      await installation.createOperator(tenantId),
      await installation.createOperator(tenantId),
    ]
    const [one, other] = [await invite(removed), await invite(demoted)]
    await sql('update directory.operator_user set removed_at = now() where id = $1', [removed.userId])
    await sql("delete from directory.operator_duty where user_id = $1 and duty = 'team'", [demoted.userId])
    assertError(await confirm(one), 409, 'proposer_left')
    assertError(await confirm(other), 409, 'proposer_left')
  })

  test('an emergency sign-in cannot confirm for 24 hours', async () => {
    const approvalId = await invite()
    await sql('update directory.operator_session set is_break_glass = true where id = $1', [second.sessionId])
    assertError(await confirm(approvalId), 403, 'emergency_session')
    await sql("update directory.operator_session set created_at = now() - interval '25 hours' where id = $1", [
      second.sessionId,
    ])
    assert.equal((await confirm(approvalId)).status, 200)
    await sql('update directory.operator_session set is_break_glass = false where id = $1', [second.sessionId])
  })

  test('100 concurrent confirmations have one effect', async () => {
    const email = newAddress()
    const approvalId = await invite(proposer, email)
    const responses = await Promise.all(Array.from({ length: 100 }, () => confirm(approvalId)))
    const statuses = responses.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
    assert.equal(await usersNamed(email), 1)
  })
})

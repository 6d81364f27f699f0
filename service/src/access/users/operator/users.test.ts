import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiResponse, assertError } from '../../../../test/harness/api-client.ts'
import { Mailbox } from '../../../../test/harness/mailbox.ts'
import { type RunningApi, TestInstallation, type TestOperator } from '../../../../test/harness/service.ts'
import { until, waitingForLocks } from '../../../../test/harness/wait.ts'
import type { Role } from '../../../platform/api/declare/roles.ts'

describe('users', () => {
  let installation: TestInstallation
  let api: RunningApi
  let mailbox: Mailbox
  let me: TestOperator

  before(async () => {
    mailbox = await Mailbox.open()
    installation = await TestInstallation.create({ SMTP_URL: mailbox.url, MAIL_FROM: 'ITS <its@example.com>' })
    api = await installation.startOperatorApi()
    await installation.startWorker()
    me = await installation.createOperator(await installation.createTenant('Harbour Issuer'))
  })
  after(async () => {
    await installation.end()
    await mailbox.close()
  })

  const sendAs = (token: string, method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    api.call(method, path, { token, ...(body === undefined ? {} : { body }) })
  const send = (method: string, path: string, body?: unknown) => sendAs(me.token, method, path, body)
  const auditOf = async (subjectId: string) =>
    (await send('GET', `/directory-audit?subject_id=${subjectId}&direction=asc`)).body.results
  const newAddress = () => `${crypto.randomUUID()}@example.com`
  const usersOfNewTenant = async (...roles: Role[]) => {
    const tenantId = await installation.createTenant('T')
    const users: TestOperator[] = []
    for (const role of roles) users.push(await installation.createOperator(tenantId, { role }))
    return users
  }

  test('an invited user is listed and receives a mail that names the tenant and who invited them', async () => {
    const email = newAddress()
    const invited = await send('POST', '/users', { name: 'Grace Hopper', email, role: 'operator' })
    assert.equal(invited.status, 201, invited.text)
    const { id, created_at: createdAt, ...rest } = invited.body
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(rest, { name: 'Grace Hopper', email, role: 'operator', removed_at: null })
    assert.deepEqual((await send('GET', '/users')).body.results[0], invited.body)
    const mails = () => mailbox.mails.filter(({ to }) => to?.[0]?.address === email)
    await until('the mail arrives', () => mails().length === 1)
    const [mail] = mails()
    const { results } = (await send('GET', '/users?direction=asc')).body
    assert.match(mail?.text ?? '', /^You have been invited to run the tenant "Harbour Issuer"\.$/m)
    assert.match(mail?.text ?? '', new RegExp(`^Invited by: "${results[0].name}" \\(.*@example.com\\)$`, 'm'))
    assert.match(mail?.text ?? '', /operator/)
    const [record] = await auditOf(id)
    assert.deepEqual([record.action, record.after], ['user.invited', { role: 'operator', changed: ['name', 'email'] }])
    assert.doesNotMatch(JSON.stringify(record), /Grace|example\.com/)
  })

  test('a mail quotes names on one line, so that text and links in them are not ours', async () => {
    const [admin] = await usersOfNewTenant('admin')
    assert.ok(admin)
    const [email, name] = [newAddress(), 'Eve"\n\nYour account is blocked: https://evil.example\u202e']
    await installation.owner((client) =>
      client.query('update directory.operator_user set name = $1 where id = $2', [name, admin.userId]),
    )
    const invited = await sendAs(admin.token, 'POST', '/users', { name: 'O’Brien – 王', email, role: 'viewer' })
    assert.equal(invited.status, 201, invited.text)
    const mails = () => mailbox.mails.filter(({ to }) => to?.[0]?.address === email)
    await until('the mail arrives', () => mails().length === 1)
    const text = mails()[0]?.text ?? ''
    const line = text.split('\n').find((one) => one.includes('evil'))
    assert.match(
      line ?? '',
      /^Invited by: "Eve' Your account is blocked: https:\/\/evil\.example " \(.*@example\.com\)$/,
    )
  })

  test('an e-mail address is unique in the tenant, ignoring case; a removed user may be invited again', async () => {
    const email = newAddress()
    const invite = (address: string) => send('POST', '/users', { name: 'A', email: address, role: 'viewer' })
    const { id } = (await invite(email)).body
    assertError(await invite(email.toUpperCase()), 409, 'user_exists')
    assert.equal((await send('POST', `/users/${id}/remove`)).status, 200)
    const again = await invite(email)
    assert.equal(again.status, 201, again.text)
    assert.notEqual(again.body.id, id)
  })

  test('a changed role takes effect with the next request', async () => {
    const [admin, other] = await usersOfNewTenant('admin', 'viewer')
    assert.ok(admin && other)
    const invite = () => sendAs(other.token, 'POST', '/users', { name: 'B', email: newAddress(), role: 'viewer' })
    assertError(await invite(), 403, 'insufficient_role')
    const path = `/users/${other.userId}`
    assert.equal((await sendAs(admin.token, 'PATCH', path, { role: 'admin' })).body.role, 'admin')
    assert.equal((await invite()).status, 201)
    assert.equal((await sendAs(admin.token, 'PATCH', path, { role: 'viewer' })).body.role, 'viewer')
    assertError(await invite(), 403, 'insufficient_role')
    const { results } = (await sendAs(admin.token, 'GET', `/audit?subject_id=${other.userId}`)).body
    assert.deepEqual(
      results.map((record: { before: object; after: object }) => [record.before, record.after]),
      [
        [{ role: 'admin' }, { role: 'viewer' }],
        [{ role: 'viewer' }, { role: 'admin' }],
      ],
    )
  })

  test('a removed user is rejected from the next request on, is not listed, and cannot be removed twice', async () => {
    const [admin, other] = await usersOfNewTenant('admin', 'admin')
    assert.ok(admin && other)
    const path = `/users/${other.userId}/remove`
    const removed = await sendAs(admin.token, 'POST', path)
    assert.ok(Math.abs(Date.parse(removed.body.removed_at) - Date.now()) < 60_000)
    assertError(await sendAs(other.token, 'GET', '/users'), 401, 'token_revoked')
    assert.equal((await sendAs(admin.token, 'GET', '/users')).body.pagination.count, 1)
    assertError(await sendAs(admin.token, 'POST', path), 404, 'not_found')
    const body = { name: 'x', expires_in_days: 1 }
    const tokens = `/users/${other.userId}/tokens`
    assertError(await sendAs(admin.token, 'POST', tokens, body), 404, 'not_found')
  })

  test('the last admin can neither be removed nor lose the role, even if the tenant has other users', async () => {
    const [admin, operator, viewer] = await usersOfNewTenant('admin', 'operator', 'viewer')
    assert.ok(admin && operator && viewer)
    const path = `/users/${admin.userId}`
    assertError(await sendAs(admin.token, 'POST', `${path}/remove`), 409, 'last_admin')
    assertError(await sendAs(admin.token, 'PATCH', path, { role: 'operator' }), 409, 'last_admin')
    assert.equal((await sendAs(admin.token, 'PATCH', path, { role: 'admin' })).status, 200)
    for (const other of [operator, viewer])
      assert.equal((await sendAs(admin.token, 'POST', `/users/${other.userId}/remove`)).status, 200)
  })

  for (const [what, [first, second]] of [
    ['remove each other', ['remove', 'remove']],
    ['demote each other', ['demote', 'demote']],
    ['remove and demote each other', ['remove', 'demote']],
  ] as const)
    test(`two admins ${what} concurrently: one admin stays`, async () => {
      const [one, other] = await usersOfNewTenant('admin', 'admin')
      assert.ok(one && other)
      const run = (action: 'remove' | 'demote', by: TestOperator, target: TestOperator) => {
        const path = `/users/${target.userId}`
        return action === 'remove'
          ? sendAs(by.token, 'POST', `${path}/remove`)
          : sendAs(by.token, 'PATCH', path, { role: 'viewer' })
      }
      const responses = await installation.owner(async (client) => {
        await client.query('begin')
        await client.query('select from directory.operator_user where tenant_id = $1 for update', [one.tenantId])
        const both = [run(first, one, other), run(second, other, one)]
        await until('both requests wait for the lock', async () => (await waitingForLocks(installation)) === 2)
        await client.query('commit')
        return Promise.all(both)
      })
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409])
      assert.equal(responses.find(({ status }) => status === 409)?.body.error.code, 'last_admin')
      const { rows } = await installation.owner((client) =>
        client.query(
          `select count(*)::int from directory.operator_user
           where tenant_id = $1 and role = 'admin' and removed_at is null`,
          [one.tenantId],
        ),
      )
      assert.equal(rows[0].count, 1)
    })

  test('a personal access token is shown once, works until revoked, and is listed without its secret', async () => {
    const path = `/users/${me.userId}/tokens`
    const created = await send('POST', path, { name: 'Laptop', expires_in_days: 366 })
    assert.equal(created.status, 201, created.text)
    const { token, ...shown } = created.body
    assert.match(token, /^itp_[\w-]{64}$/)
    const days = (Date.parse(shown.expires_at) - Date.now()) / 86_400_000
    assert.ok(days > 365.9 && days <= 366, String(days))
    assert.deepEqual((await send('GET', path)).body.results[0], shown)
    assert.equal((await sendAs(token, 'GET', '/audit')).status, 200)
    const revoked = await send('POST', `${path}/${shown.id}/revoke`)
    assert.ok(Math.abs(Date.parse(revoked.body.revoked_at) - Date.now()) < 60_000)
    assertError(await sendAs(token, 'GET', '/audit'), 401, 'token_revoked')
    assert.deepEqual((await send('POST', `${path}/${shown.id}/revoke`)).body, revoked.body)
    const records = await auditOf(shown.id)
    assert.deepEqual(
      records.map(({ action }: { action: string }) => action),
      ['personal_token.issued', 'personal_token.revoked'],
    )
    assert.ok(!JSON.stringify(records).includes(token.slice(-20)))
  })

  test('an admin creates and revokes the tokens of all users, other users only their own', async () => {
    const [admin, operator, viewer] = await usersOfNewTenant('admin', 'operator', 'viewer')
    assert.ok(admin && operator && viewer)
    const body = { name: 'x', expires_in_days: 1 }
    const users: TestOperator[] = [admin, operator, viewer]
    for (const by of users)
      for (const user of users) {
        const created = await sendAs(by.token, 'POST', `/users/${user.userId}/tokens`, body)
        const revoke = (tokenId: string) => sendAs(by.token, 'POST', `/users/${user.userId}/tokens/${tokenId}/revoke`)
        if (by === admin || by === user) {
          assert.equal(created.status, 201, created.text)
          assert.equal((await revoke(created.body.id)).status, 200)
        } else {
          assertError(created, 403, 'insufficient_role')
          assertError(await revoke(user.tokenId), 403, 'insufficient_role')
        }
      }
  })

  test('a personal access token is found only under the path of its user', async () => {
    const [admin, other] = await usersOfNewTenant('admin', 'viewer')
    assert.ok(admin && other)
    const path = `/users/${admin.userId}/tokens/${other.tokenId}/revoke`
    assertError(await sendAs(admin.token, 'POST', path), 404, 'not_found')
    assert.equal((await sendAs(other.token, 'GET', '/audit')).status, 200)
  })

  for (const [pointer, body] of [
    ['/email', { name: 'A', email: 'no-address', role: 'viewer' }],
    ['/role', { name: 'A', email: 'a@example.com', role: 'owner' }],
    ['/name', { name: '', email: 'a@example.com', role: 'viewer' }],
    ...['A\nB', 'A\r\nB', 'A\tB', 'A\u0085B', 'A\u2028B', 'A\u202eB'].map(
      (name) => ['/name', { name, email: 'a@example.com', role: 'viewer' }] as const,
    ),
  ] as const)
    test(`an invitation with an invalid ${pointer.slice(1)} is 400: ${JSON.stringify(body)}`, async () => {
      const response = await send('POST', '/users', body)
      assertError(response, 400, 'validation_failed')
      assert.equal(response.body.error.errors[0].pointer, pointer)
    })

  for (const days of [0, 367, 1.5])
    test(`a personal access token for ${days} days is 400`, async () => {
      const body = { name: 'x', expires_in_days: days }
      const response = await send('POST', `/users/${me.userId}/tokens`, body)
      assertError(response, 400, 'validation_failed')
    })
})

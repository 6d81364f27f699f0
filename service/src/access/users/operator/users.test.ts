import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { type ApiResponse, assertError } from '../../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../../../test/harness/installation/test-users.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { Mailbox } from '../../../../test/harness/servers/mailbox.ts'
import { until } from '../../../../test/harness/wait.ts'
import { dutiesOfRole, type Role } from '../../../platform/api/declare/duties.ts'

describe('users', async () => {
  const mailbox = await Mailbox.open()
  const installation = await TestInstallation.create({ SMTP_URL: mailbox.url, MAIL_FROM: 'ITS <its@example.com>' })
  const api = await installation.startOperatorApi()
  await installation.startWorker()
  const harbourId = await installation.createTenant('Harbour Issuer')
  const [me, other] = [await installation.createOperator(harbourId), await installation.createOperator(harbourId)]
  after(() => installation.end())
  after(() => mailbox.close())

  const sendAs = (who: TestOperator, method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    api.call(method, path, { cookie: who.cookie, body })
  const send = (method: string, path: string, body?: unknown) => sendAs(me, method, path, body)
  /** Proposes as the first user and confirms as the second. */
  const together = async (method: string, path: string, body?: unknown, [by, second] = [me, other]) => {
    const proposal = await sendAs(by, method, path, body)
    return proposal.status === 202 ? confirmAs(api, second, proposal, 'directory') : proposal
  }
  const auditOf = async (subjectId: string) =>
    (await send('GET', `/directory-audit?subject_id=${subjectId}&direction=asc`)).body.results
  const newAddress = () => `${crypto.randomUUID()}@example.com`
  const usersOfNewTenant = async (...roles: Role[]) => {
    const tenantId = await installation.createTenant('T')
    const users: TestOperator[] = []
    for (const role of roles) users.push(await installation.createOperator(tenantId, { role }))
    return users
  }
  const dutiesOf = (user: { duties: { duty: string }[] }) => user.duties.map(({ duty }) => duty).toSorted()

  test('an invited user is listed and receives a mail that names the tenant and who invited them', async () => {
    const email = newAddress()
    const confirmed = await together('POST', '/users', { name: 'Grace Hopper', email, role: 'operator' })
    assert.equal(confirmed.status, 200, confirmed.text)
    const invited = confirmed.body.result
    const { id, created_at: createdAt, duties: _duties, ...rest } = invited
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(dutiesOf(invited), dutiesOfRole.operator.toSorted())
    assert.deepEqual(rest, {
      name: 'Grace Hopper',
      kind: 'person',
      email,
      has_signed_in: false,
      invited_by: me.userId,
      removed_at: null,
    })
    assert.deepEqual((await send('GET', '/users')).body.results[0], invited)
    const mails = () => mailbox.mails.filter(({ to }) => to?.[0]?.address === email)
    await until('the mail arrives', () => mails().length === 1)
    const [mail] = mails()
    const { results } = (await send('GET', '/users?direction=asc')).body
    assert.match(mail?.text ?? '', /^You have been invited to run the tenant "Harbour Issuer"\.$/m)
    assert.match(mail?.text ?? '', new RegExp(`^Invited by: "${results[0].name}" \\(.*@example.com\\)$`, 'm'))
    const [record] = await auditOf(id)
    assert.equal(record.action, 'user.invited')
    assert.deepEqual(record.after.changed, ['name', 'email'])
    assert.doesNotMatch(JSON.stringify(record), /Grace|example\.com/)
  })

  test('a mail quotes names on one line, so that text and links in them cannot pass as ours', async () => {
    const [admin, second] = await usersOfNewTenant('admin', 'admin')
    assert.ok(admin && second)
    const [email, name] = [newAddress(), 'Eve"\n\nYour account is blocked: https://evil.example\u202e']
    await installation.rows('update directory.operator_user set name = $1 where id = $2', [name, admin.userId])
    const body = { name: 'O’Brien – 王', email, role: 'viewer' }
    const invited = await together('POST', '/users', body, [admin, second])
    assert.equal(invited.status, 200, invited.text)
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
    const invite = (address: string) => together('POST', '/users', { name: 'A', email: address, role: 'viewer' })
    const { id } = (await invite(email)).body.result
    assertError(await invite(email.toUpperCase()), 409, 'user_exists')
    assert.equal((await together('POST', `/users/${id}/remove`)).status, 200)
    const again = await invite(email)
    assert.equal(again.status, 200, again.text)
    assert.notEqual(again.body.result.id, id)
  })

  test('changed duties take effect with the next request', async () => {
    const [one, two, viewer] = await usersOfNewTenant('admin', 'admin', 'viewer')
    assert.ok(one && two && viewer)
    const path = `/users/${viewer.userId}`
    const invite = () => sendAs(viewer, 'POST', '/users', { name: 'B', email: newAddress(), role: 'viewer' })
    assertError(await invite(), 403, 'insufficient_duty')
    const changed = await together('PATCH', path, { duties: [{ duty: 'team' }] }, [one, two])
    assert.deepEqual(dutiesOf(changed.body.result), ['read', 'team'])
    assert.equal((await invite()).status, 202)
    assert.equal((await together('PATCH', path, { role: 'viewer' }, [one, two])).status, 200)
    assertError(await invite(), 403, 'insufficient_duty')
  })

  test('a duty can be limited to offerings only where that makes sense, and is listed once', async () => {
    const path = `/users/${other.userId}`
    const offerings = [crypto.randomUUID()]
    for (const duties of [
      [{ duty: 'money', offering_ids: offerings }],
      [{ duty: 'token' }, { duty: 'token', offering_ids: offerings }],
    ])
      assertError(await send('PATCH', path, { duties }), 400, 'validation_failed')
    assertError(await send('PATCH', path, { role: 'admin', duties: [] }), 400, 'validation_failed')
    assertError(await send('PATCH', path, {}), 400, 'validation_failed')
  })

  test('a limited duty permits nothing in operations that do not compare the offering', async () => {
    const [limited] = await usersOfNewTenant('admin')
    assert.ok(limited)
    const open = () => sendAs(limited, 'POST', `/offerings/${crypto.randomUUID()}/open`)
    assertError(await open(), 404, 'not_found')
    await installation.rows(
      "update directory.operator_duty set offering_ids = $1 where user_id = $2 and duty = 'offerings'",
      [[crypto.randomUUID()], limited.userId],
    )
    assertError(await open(), 403, 'insufficient_duty')
  })

  test('duties that the tenant forbids in one user are rejected', async () => {
    const duties = [{ duty: 'money' }, { duty: 'release' }]
    assertError(await send('PATCH', `/users/${other.userId}`, { duties }), 409, 'duties_forbidden')
    const body = { name: 'C', email: newAddress(), duties }
    assertError(await send('POST', '/users', body), 409, 'duties_forbidden')
  })

  test('a removed user loses access with the next request', async () => {
    const [one, two, third] = await usersOfNewTenant('admin', 'admin', 'viewer')
    assert.ok(one && two && third)
    const removed = await together('POST', `/users/${third.userId}/remove`, undefined, [one, two])
    assert.ok(Math.abs(Date.parse(removed.body.result.removed_at) - Date.now()) < 60_000)
    assertError(await sendAs(third, 'GET', '/users'), 401, 'session_expired')
    assertError(await api.call('GET', '/users', { token: third.token }), 401, 'token_revoked')
    assertError(await sendAs(one, 'POST', `/users/${third.userId}/remove`), 404, 'not_found')
  })

  test('at least two people keep the duty team', async () => {
    const [one, two, viewer] = await usersOfNewTenant('admin', 'admin', 'viewer')
    assert.ok(one && two && viewer)
    assertError(await sendAs(one, 'POST', `/users/${two.userId}/remove`), 409, 'team_too_small')
    assertError(await sendAs(one, 'PATCH', `/users/${two.userId}`, { role: 'viewer' }), 409, 'team_too_small')
    assert.equal((await together('POST', `/users/${viewer.userId}/remove`, undefined, [one, two])).status, 200)
  })

  test('of two proposals that together would leave too small a team, only one can be confirmed', async () => {
    const [one, two, three] = await usersOfNewTenant('admin', 'admin', 'admin')
    assert.ok(one && two && three)
    const first = await sendAs(one, 'POST', `/users/${two.userId}/remove`)
    const second = await sendAs(two, 'POST', `/users/${three.userId}/remove`)
    const confirmations = [
      await confirmAs(api, three, first, 'directory'),
      await confirmAs(api, one, second, 'directory'),
    ]
    assert.deepEqual(pluck(confirmations, 'status'), [200, 409])
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
    const withToken = () => api.call('GET', '/audit', { token })
    assert.equal((await withToken()).status, 200)
    assert.ok((await send('GET', path)).body.results[0].last_used_at)
    const revoked = await send('POST', `${path}/${shown.id}/revoke`)
    assert.ok(Math.abs(Date.parse(revoked.body.revoked_at) - Date.now()) < 60_000)
    assertError(await withToken(), 401, 'token_revoked')
    assert.deepEqual((await send('POST', `${path}/${shown.id}/revoke`)).body, revoked.body)
    const records = await auditOf(shown.id)
    assert.deepEqual(pluck(records, 'action'), ['personal_token.issued', 'personal_token.revoked'])
    assert.ok(!JSON.stringify(records).includes(token.slice(-20)))
  })

  test('users create tokens for themselves only; users with the duty team revoke those of all', async () => {
    const users = await usersOfNewTenant('admin', 'operator', 'viewer')
    const body = { name: 'x', expires_in_days: 1 }
    for (const by of users)
      for (const user of users) {
        const created = await sendAs(by, 'POST', `/users/${user.userId}/tokens`, body)
        if (by === user) assert.equal(created.status, 201, created.text)
        else assertError(created, 403, 'not_your_token')
        const revoked = await sendAs(by, 'POST', `/users/${user.userId}/tokens/${user.tokenId}/revoke`)
        if (by === users[0] || by === user) assert.equal(revoked.status, 200)
        else assertError(revoked, 403, 'insufficient_duty')
      }
  })

  test('a personal access token is found only under the path of its user', async () => {
    const [admin, viewer] = await usersOfNewTenant('admin', 'viewer')
    assert.ok(admin && viewer)
    const path = `/users/${admin.userId}/tokens/${viewer.tokenId}/revoke`
    assertError(await sendAs(admin, 'POST', path), 404, 'not_found')
    assert.equal((await api.call('GET', '/audit', { token: viewer.token })).status, 200)
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

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TestAuthenticator } from '../../../../test/harness/callers/authenticator.ts'
import { SignInWorld, sessionCookieIn } from '../../../../test/harness/callers/sign-in-world.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { Mailbox } from '../../../../test/harness/servers/mailbox.ts'
import { until } from '../../../../test/harness/wait.ts'
import { signInOperations } from '../sign-in-operations.ts'

describe('signing in with passkeys', async () => {
  const mailbox = await Mailbox.open()
  const world = await SignInWorld.start({ SMTP_URL: mailbox.url })
  const tenantId = await world.installation.createTenant('A')
  after(() => world.installation.end())
  after(() => mailbox.close())

  test('an invited person gets a link by mail, creates a passkey, and is signed in as that user', async () => {
    await world.installation.startWorker()
    const [first, second] = [
      await world.installation.createOperator(tenantId),
      await world.installation.createOperator(tenantId),
    ]
    const body = { name: 'Grace', email: 'grace@example.com', role: 'viewer' }
    const proposal = await world.call('POST', '/users', { cookie: first.cookie, body })
    assert.equal(proposal.status, 202, proposal.text)
    const confirm = `/directory-approvals/${proposal.body.approval_id}/confirm`
    const confirmed = await world.call('POST', confirm, { cookie: second.cookie })
    assert.equal(confirmed.status, 200, confirmed.text)
    const received = () => mailbox.mails.find(({ to }) => to?.[0]?.address === body.email)
    await until('the mail', () => received() !== undefined)
    const link = new URL(/http:\/\/localhost\S+/.exec(received()?.text ?? '')?.[0] ?? '')
    assert.equal(link.origin + link.pathname, `${world.origin}/console/invitation`)
    const invitation = link.hash.slice(1)

    const opened = await world.call('POST', '/invitations/open', { body: { invitation } })
    assert.deepEqual(opened.body, { kind: 'invitation', tenant_name: 'A', user_name: 'Grace', provider: null })
    const { response, cookie } = await world.accept(invitation)
    assert.equal(response.status, 200, response.text)
    const attributes = response.headers.getSetCookie().join()
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict'])
      assert.ok(attributes.includes(attribute), attribute)
    const me = await world.call('GET', '/me', { cookie })
    assert.equal(me.body.user.id, confirmed.body.result.id)
    assert.equal(me.body.passkeys.length, 1)

    assertError((await world.accept(invitation)).response, 404, 'invitation_invalid')
  })

  test('an invitation is sent again only to a person who has not signed in, within the limit of the tenant', async () => {
    const own = await world.installation.createTenant('Resend')
    const { cookie, userId } = await world.person(own)
    const { userId: invited } = await world.invite(own)
    const resend = (user: string) => world.call('POST', `/users/${user}/invitation`, { cookie })
    assert.equal((await resend(invited)).status, 200)
    assertError(await resend(userId), 409, 'already_signed_in')
    assertError(await resend(crypto.randomUUID()), 404, 'not_found')
    await world.installation.setLimits(own, { invitationsPerDay: 2 })
    assertError(await resend(invited), 409, 'tenant_limit_reached')
  })

  test('a link is not valid with another secret, after it expired, or after its user was removed', async () => {
    const { secret } = await world.invite(tenantId)
    const open = (invitation: string) => world.call('POST', '/invitations/open', { body: { invitation } })
    const other = (await world.invite(tenantId)).secret
    assertError(await open(secret.slice(0, 26) + other.slice(26)), 404, 'invitation_invalid')
    assertError(await open('iti_x'), 404, 'invitation_invalid')
    assert.equal((await open(secret)).status, 200)
    await world.sql("update directory.invitation set expires_at = now() - interval '1 second' where tenant_id = $1", [
      tenantId,
    ])
    assertError(await open(secret), 404, 'invitation_invalid')
    const removed = await world.invite(tenantId)
    await world.sql('update directory.operator_user set removed_at = now() where id = $1', [removed.userId])
    assertError(await open(removed.secret), 404, 'invitation_invalid')
  })

  test('if two people accept one link at the same time, only one becomes the user', async () => {
    const { secret } = await world.invite(tenantId)
    const people = await Promise.all([world.accept(secret), world.accept(secret), world.accept(secret)])
    assert.deepEqual(people.map(({ response }) => response.status).toSorted(), [200, 404, 404])
  })

  test('a person signs in with their passkey; the response cannot be used again', async () => {
    const { authenticator, userId } = await world.person(tenantId)
    const { credential, response } = await world.signIn(authenticator)
    assert.equal(response.status, 200, response.text)
    const me = await world.call('GET', '/me', { cookie: sessionCookieIn(response) })
    assert.equal(me.body.user.id, userId)
    assertError(await world.call('POST', '/sign-in/passkey', { body: { credential } }), 403, 'passkey_rejected')
  })

  test('a passkey is rejected if it comes from another site, did not verify the person or is not registered', async () => {
    const { authenticator } = await world.person(tenantId)
    const rejected = async (more: Parameters<SignInWorld['signIn']>[1], from = authenticator) =>
      assertError((await world.signIn(from, more)).response, 403, 'passkey_rejected')
    await rejected({ origin: 'https://evil.example' })
    await rejected({ isVerified: false })
    const stranger = new TestAuthenticator(world.origin)
    stranger.create({ challenge: 'AAAA', user: { id: Buffer.alloc(16, 7).toString('base64url') } })
    await rejected({}, stranger)
    assert.equal((await world.signIn(authenticator)).response.status, 200)
  })

  test('a challenge is valid only for its purpose, and for five minutes', async () => {
    const { authenticator, cookie } = await world.person(tenantId)
    const forSignIn = (await world.call('POST', '/sign-in/passkey/options')).body.options
    const credential = authenticator.use(forSignIn)
    assertError(await world.call('POST', '/step-up', { cookie, body: { credential } }), 403, 'passkey_rejected')
    const forStepUp = (await world.call('POST', '/step-up/options', { cookie })).body.options
    const wrong = { credential: authenticator.use(forStepUp) }
    assertError(await world.call('POST', '/sign-in/passkey', { body: wrong }), 403, 'passkey_rejected')
    const bytes = Buffer.from(forSignIn.challenge, 'base64url')
    bytes.writeBigInt64BE(bytes.readBigInt64BE(16) + 1n, 16)
    const longer = { challenge: bytes.toString('base64url') }
    const body = { credential: authenticator.use(longer) }
    assertError(await world.call('POST', '/sign-in/passkey', { body }), 403, 'passkey_rejected')
  })

  test('a step-up counts neither for another session nor with the passkey of a colleague', async () => {
    const [ada, grace] = [await world.person(tenantId), await world.person(tenantId)]
    const second = sessionCookieIn((await world.signIn(ada.authenticator)).response)
    const { options } = (await world.call('POST', '/step-up/options', { cookie: ada.cookie })).body
    const ofOther = { credential: ada.authenticator.use(options) }
    assertError(await world.call('POST', '/step-up', { cookie: second, body: ofOther }), 403, 'passkey_rejected')
    const ofColleague = { credential: grace.authenticator.use(options) }
    assertError(
      await world.call('POST', '/step-up', { cookie: ada.cookie, body: ofColleague }),
      403,
      'passkey_rejected',
    )
    assert.equal((await world.stepUp(ada.authenticator, ada.cookie)).status, 200)
  })

  test('an operation that needs a passkey is rejected five minutes after its last use, until the next', async () => {
    const { authenticator, cookie, userId } = await world.person(tenantId)
    const body = { name: 'script', expires_in_days: 1 }
    await world.sql(
      "update directory.operator_session set stepped_up_at = now() - interval '5 minutes' where user_id = $1",
      [userId],
    )
    assertError(await world.call('POST', `/users/${userId}/tokens`, { cookie, body }), 403, 'step_up_needed')
    assert.equal((await world.stepUp(authenticator, cookie)).status, 200)
    assert.equal((await world.call('POST', `/users/${userId}/tokens`, { cookie, body })).status, 201)
  })

  test('a stolen session cannot register a passkey', async () => {
    const { authenticator, cookie, userId } = await world.person(tenantId)
    const age = (column: string) =>
      world.sql(
        `update directory.operator_session set ${column} = ${column} - interval '5 minutes' where user_id = $1`,
        [userId],
      )
    const register = async (session = cookie) => {
      const options = await world.call('POST', '/passkeys/options', { cookie: session })
      if (options.status !== 200) return options
      const credential = new TestAuthenticator(world.origin).create(options.body.options)
      return world.call('POST', '/passkeys', { cookie: session, body: { name: 'Second', credential } })
    }
    await age('stepped_up_at')
    assertError(await register(), 403, 'step_up_needed')
    await world.stepUp(authenticator, cookie)
    assert.equal((await register()).status, 201)
    await world.sql(
      'delete from directory.passkey where identity_id = (select identity_id from directory.operator_user where id = $1)',
      [userId],
    )
    await age('created_at')
    await age('expires_at')
    await age('authenticated_at')
    assertError(await register(), 403, 'sign_in_again')
    // Switching tenants does not make a session younger than its sign-in.
    const switched = await world.call('POST', '/switch-tenant', { cookie, body: { tenant_id: tenantId } })
    assert.equal(switched.status, 200, switched.text)
    assertError(await register(sessionCookieIn(switched)), 403, 'sign_in_again')
  })

  test('a person keeps at least one passkey', async () => {
    const { authenticator, cookie } = await world.person(tenantId)
    const remove = (id: string) => world.call('POST', '/passkeys/remove', { cookie, body: { id } })
    assertError(await remove(authenticator.id.toString('base64url')), 409, 'last_passkey')
    assertError(await remove('AAAA'), 404, 'not_found')
    const { options } = (await world.call('POST', '/passkeys/options', { cookie })).body
    const credential = new TestAuthenticator(world.origin).create(options)
    assert.equal((await world.call('POST', '/passkeys', { cookie, body: { name: 'New', credential } })).status, 201)
    assert.equal((await remove(authenticator.id.toString('base64url'))).status, 200)
    assertError((await world.signIn(authenticator)).response, 403, 'passkey_rejected')
  })

  test('signing out ends the session and the tokens that were created in it', async () => {
    const { cookie, userId } = await world.person(tenantId)
    const body = { name: 'script', expires_in_days: 1 }
    const { token } = (await world.call('POST', `/users/${userId}/tokens`, { cookie, body })).body
    const signedOut = await world.call('POST', '/sign-out', { cookie })
    assert.match(signedOut.headers.getSetCookie().join(), /__Host-session=;.*Max-Age=0/)
    assertError(await world.call('GET', '/me', { cookie }), 401, 'session_expired')
    const headers = { authorization: `Bearer ${token}` }
    assertError(await world.call('GET', '/me', { headers }), 401, 'token_revoked')
  })

  test('an emergency link works once, signs in its user only, and cannot confirm for 24 hours', async () => {
    const [ada, grace] = [await world.person(tenantId), await world.person(tenantId)]
    const { secret } = await world.invite(tenantId, { kind: 'break_glass', userId: grace.userId })
    const use = () => world.call('POST', '/invitations/emergency', { body: { invitation: secret } })
    const response = await use()
    assert.equal(response.status, 200, response.text)
    assertError(await use(), 404, 'invitation_invalid')
    const cookie = sessionCookieIn(response)
    const me = await world.call('GET', '/me', { cookie })
    assert.deepEqual([me.body.user.id, me.body.session.is_break_glass], [grace.userId, true])
    const body = { name: 'New', email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }
    const proposal = await world.call('POST', '/users', { cookie: ada.cookie, body })
    const confirm = `/directory-approvals/${proposal.body.approval_id}/confirm`
    await world.stepUp(grace.authenticator, cookie)
    assertError(await world.call('POST', confirm, { cookie }), 403, 'emergency_session')
    assertError(await world.call('POST', '/passkeys/options', { cookie }), 403, 'emergency_session')
    await world.sql("update directory.operator_session set created_at = now() - interval '25 hours' where id = $1", [
      me.body.session.id,
    ])
    await world.sql("update directory.operator_session set expires_at = now() + interval '1 hour' where id = $1", [
      me.body.session.id,
    ])
    assert.equal((await world.call('POST', confirm, { cookie })).status, 200)
    // An invitation is not an emergency link, and vice versa.
    const invitation = await world.invite(tenantId)
    const wrong = await world.call('POST', '/invitations/emergency', { body: { invitation: invitation.secret } })
    assertError(wrong, 409, 'wrong_sign_in_method')
    const other = await world.invite(tenantId, { kind: 'break_glass', userId: grace.userId })
    assertError((await world.accept(other.secret)).response, 409, 'wrong_sign_in_method')
  })

  test('a person who runs two tenants switches between them, without a longer session and without a second factor', async () => {
    const otherTenant = await world.installation.createTenant('B')
    const strangers = await world.installation.createTenant('C')
    const { cookie, userId, authenticator } = await world.person(tenantId)
    await world.sql(
      `insert into directory.operator_user (tenant_id, id, name, email, identity_id)
       select $1, gen_random_uuid(), name, email, identity_id from directory.operator_user where id = $2`,
      [otherTenant, userId],
    )
    await world.sql(
      `insert into directory.operator_duty (tenant_id, user_id, duty) select tenant_id, id, 'read' from directory.operator_user where tenant_id = $1`,
      [otherTenant],
    )
    await world.sql(
      "update directory.operator_session set expires_at = now() + interval '1 minute' where user_id = $1",
      [userId],
    )
    const switchTo = (tenant: string) => world.call('POST', '/switch-tenant', { cookie, body: { tenant_id: tenant } })
    assertError(await switchTo(strangers), 403, 'no_user_for_person')
    const switched = await switchTo(otherTenant)
    assert.equal(switched.status, 200, switched.text)
    const me = (await world.call('GET', '/me', { cookie: sessionCookieIn(switched) })).body
    assert.equal(me.tenant.id, otherTenant)
    assert.deepEqual(pluck(me.tenants, 'name'), ['A', 'B'])
    assert.equal(me.session.stepped_up_at, null)
    assert.ok(Date.parse(me.session.expires_at) < Date.now() + 61_000)
    assert.equal((await world.signIn(authenticator)).response.status, 200)
  })

  for (const { header } of signInOperations.filter(({ header: { caller } }) => caller === 'own page'))
    test(`${header.method} ${header.path} is rejected from a page of another site`, async () => {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
        { 'x-console': '' },
      ])
        assertError(await world.call(header.method, header.path, { headers, body: {} }), 403, 'cross_site_request')
    })

  test('an address that tries to sign in too often is rejected', async () => {
    const attempts = Array.from({ length: 130 }, () => world.call('POST', '/sign-in/passkey/options'))
    const limited = (await Promise.all(attempts)).filter(({ status }) => status !== 200)
    assert.ok(limited.length >= 10)
    for (const response of limited) assertError(response, 429, 'rate_limited')
  })
})

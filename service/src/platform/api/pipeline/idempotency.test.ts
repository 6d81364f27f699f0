import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { benefitingPerson, company, individual } from '../../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../../test/harness/data/tenant.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../../test/harness/installation/test-installation.ts'
import { until, waitingForLocks } from '../../../../test/harness/wait.ts'

describe('idempotency', async () => {
  const installation = await TestInstallation.create({ DATABASE_LOCK_TIMEOUT_SECONDS: '5' })
  after(() => installation.end())
  const api = await installation.startApiProcess()
  const tenant = await TestTenant.create(installation, api)

  const newKey = () => crypto.randomUUID()
  const named = (email: string) => ({ ...individual, communication: { email, email_confirmed: true } })
  async function accountsWith(email: string): Promise<number> {
    return (await installation.rows('select from cell.account where email = $1', [email])).length
  }

  /** Blocks every account creation of the tenant until the work unblocks it. */
  async function whileCreationHangs<Result>(work: (unblock: () => Promise<void>) => Promise<Result>): Promise<Result> {
    return installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from cell.tenant where id = $1 for update', [tenant.id])
      return work(async () => {
        await client.query('commit')
      })
    })
  }

  test('R207: the header name works in any letter case', async () => {
    const key = newKey()
    const send = (name: string) =>
      api.call('POST', '/accounts', { token: tenant.token, body: individual, headers: { [name]: key } })
    const ids = [await send('X-Idempotency-Key'), await send('x-idempotency-key'), await send('X-IDEMPOTENCY-KEY')]
    assert.equal(new Set(ids.map(({ text }) => text)).size, 1)
  })

  test('R211, R213, Q110: each keyed write repeats its first response byte for byte and has one effect', async () => {
    const email = `${newKey()}@example.com`
    const companyId = await tenant.account(company)
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const accountId = await tenant.account()
    const writes = [
      ['POST', '/accounts', named(email)],
      ['PATCH', `/accounts/${accountId}`, { kyc: { status: 'PENDING' } }],
      ['POST', `/accounts/${companyId}/benefiting-persons`, benefitingPerson],
      ['POST', `/offerings/${offeringId}/orders`, { account_id: accountId, units: '5' }],
    ] as const
    for (const [method, path, body] of writes) {
      const call = { token: tenant.token, body, headers: { 'x-idempotency-key': newKey() } }
      const first = await api.call(method, path, call)
      assert.ok(first.status < 300, first.text)
      assert.equal(first.headers.get('idempotency-replayed'), null)
      for (const prefix of ['/api', '/_api'] as const) {
        const again = await api.call(method, path, { ...call, prefix })
        assert.deepEqual([again.status, again.text], [first.status, first.text])
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
        assert.equal(again.headers.get('idempotency-payload-mismatch'), null)
      }
    }
    assert.equal(await accountsWith(email), 1)
    assert.equal((await tenant.get(`/accounts/${companyId}/benefiting-persons`)).body.length, 1)
    assert.equal((await tenant.get(`/offerings/${offeringId}/orders`)).body.pagination.count, 1)
  })

  test('R002: both prefixes share their keys', async () => {
    const key = { 'x-idempotency-key': newKey() }
    const one = await api.call('POST', '/accounts', { token: tenant.token, body: individual, headers: key })
    const other = await api.call('POST', '/accounts', {
      token: tenant.token,
      body: individual,
      headers: key,
      prefix: '/_api',
    })
    assert.equal(one.body.id, other.body.id)
  })

  test('R212, R216, R229: while the first request runs, the second gets 409, and the first succeeds', async () => {
    const key = newKey()
    const email = `${key}@example.com`
    await whileCreationHangs(async (unblock) => {
      const first = tenant.post('/accounts', named(email), key)
      await until('the first waits', async () => (await waitingForLocks(installation)) === 1)
      for (let count = 0; count < 3; count++) {
        const second = await tenant.post('/accounts', named(email), key)
        assertError(second, 409, 'idempotency_in_progress')
        assert.equal(second.headers.get('retry-after'), '1')
      }
      await unblock()
      assert.equal((await first).status, 201)
      assert.equal((await tenant.post('/accounts', named(email), key)).text, (await first).text)
    })
    assert.equal(await accountsWith(email), 1)
  })

  test('R216, Q108: if its process is killed, a first request frees its key and leaves no rows', async () => {
    const key = newKey()
    const email = `${key}@example.com`
    const victim = await installation.startApiProcess()
    await whileCreationHangs(async (unblock) => {
      const first = victim
        .call('POST', '/accounts', { token: tenant.token, body: named(email), headers: { 'x-idempotency-key': key } })
        .catch(() => 'cut')
      await until('the first waits', async () => (await waitingForLocks(installation)) === 1)
      await victim.process.kill()
      assert.equal(await first, 'cut')
      await unblock()
    })
    await until('the key can be used', async () => (await tenant.post('/accounts', named(email), key)).status === 201)
    assert.equal(await accountsWith(email), 1)
  })

  test('R216, Q108: a first request that hangs times out long before 60 s, and the key can then be used', async () => {
    const key = newKey()
    const email = `${key}@example.com`
    await whileCreationHangs(async (unblock) => {
      assertError(await tenant.post('/accounts', named(email), key), 503, 'unavailable')
      await unblock()
    })
    assert.equal((await tenant.post('/accounts', named(email), key)).status, 201)
    assert.equal(await accountsWith(email), 1)
  })

  test('R214: a replay is the stored response and not the current state', async () => {
    const key = newKey()
    const first = await tenant.post('/accounts', named('before@example.com'), key)
    await tenant.patch(`/accounts/${first.body.id}`, {
      communication: { email: 'after@example.com', email_confirmed: true },
    })
    assert.equal((await tenant.post('/accounts', named('before@example.com'), key)).text, first.text)
  })

  test('R215, R241, Q109: a response is stored for 24 h of database time, which no replay extends', async () => {
    const key = newKey()
    const first = await tenant.post('/accounts', individual, key)
    const age = (interval: string) =>
      installation.rows(`update cell.idempotency set expires_at = expires_at - $1::interval where tenant_id = $2`, [
        interval,
        tenant.id,
      ])
    const rows = await installation.rows<{ hours: number }>(
      `select round(extract(epoch from max(expires_at) - now()) / 3600)::int as hours
       from cell.idempotency where tenant_id = $1`,
      [tenant.id],
    )
    assert.equal(rows[0]?.hours, 24)
    await age('23:59:00')
    assert.equal((await tenant.post('/accounts', individual, key)).text, first.text)
    await age('00:01:01')
    const later = await tenant.post('/accounts', individual, key)
    assert.equal(later.status, 201)
    assert.notEqual(later.body.id, first.body.id)
    assert.equal((await tenant.post('/accounts', individual, key)).text, later.text)
  })

  test('R217, Q107: only successes are stored: after a 400, a 404 and a 500 the key can be used', async () => {
    const key = newKey()
    assertError(await tenant.post('/accounts', { ...individual, type: 'X' }, key), 400, 'validation_failed')
    await installation.rows(`
        create function cell.fail() returns trigger language plpgsql as $$ begin raise exception 'on purpose'; end $$;
        create trigger fail before insert on cell.account
          for each row when (new.email = 'fail@example.com') execute function cell.fail()`)
    assertError(await tenant.post('/accounts', named('fail@example.com'), key), 500, 'internal_error')
    await installation.rows('drop trigger fail on cell.account; drop function cell.fail')
    assert.equal((await tenant.post('/accounts', named('fail@example.com'), key)).status, 201)

    const missing = `/accounts/${crypto.randomUUID()}/benefiting-persons`
    assertError(await tenant.post(missing, benefitingPerson, key), 404, 'not_found')
    assertError(await tenant.post(missing, benefitingPerson, key), 404, 'not_found')
  })

  test('R219, Q106: another body with the same key gets the first response and a mismatch header', async () => {
    const key = newKey()
    const email = `${key}@example.com`
    const first = await tenant.post('/accounts', named('first@example.com'), key)
    const other = await tenant.post('/accounts', named(email), key)
    assert.deepEqual([other.status, other.text], [first.status, first.text])
    assert.equal(other.headers.get('idempotency-payload-mismatch'), 'true')
    assert.equal(await accountsWith(email), 0)
    const { type, ...rest } = named('first@example.com')
    const reordered = await tenant.post('/accounts', { ...rest, type }, key)
    assert.equal(reordered.headers.get('idempotency-payload-mismatch'), null)
  })

  test('R220, Q105: a key belongs to its credential, method and path', async () => {
    const key = newKey()
    const first = await tenant.post('/accounts', company, key)
    const neighbour = await api.token(await installation.issueCredential(tenant.id))
    const second = await api.call('POST', '/accounts', {
      token: neighbour,
      body: company,
      headers: { 'x-idempotency-key': key },
    })
    assert.notEqual(second.body.id, first.body.id)
    for (const account of [first.body.id, second.body.id]) {
      assert.equal((await tenant.post(`/accounts/${account}/benefiting-persons`, benefitingPerson, key)).status, 201)
      assert.equal((await tenant.patch(`/accounts/${account}`, { kyc: { status: 'PENDING' } }, key)).body.id, account)
    }
    const upper = await tenant.patch(`/accounts/${first.body.id.toUpperCase()}`, { kyc: { status: 'REJECTED' } }, key)
    assert.equal(upper.headers.get('idempotency-replayed'), 'true', 'the case of an id in the path does not matter')
  })

  test('R221: twenty concurrent requests with one key have one effect; the others get 409 or a replay', async () => {
    const key = newKey()
    const email = `${key}@example.com`
    const responses = await whileCreationHangs(async (unblock) => {
      const all = Array.from({ length: 20 }, () => tenant.post('/accounts', named(email), key))
      await until('one waits inside the effect', async () => (await waitingForLocks(installation)) === 1)
      await unblock()
      return Promise.all(all)
    })
    const created = responses.filter(({ status }) => status === 201)
    assert.ok(created.length >= 1)
    assert.equal(new Set(created.map(({ text }) => text)).size, 1)
    assert.ok(responses.every(({ status }) => status === 201 || status === 409))
    assert.equal(await accountsWith(email), 1)
  })

  test('R222, R210, R218, Q111: a replay needs a token, a scope and a valid body, but not the resource', async () => {
    const key = newKey()
    const headers = { 'x-idempotency-key': key }
    await tenant.post('/accounts', individual, key)
    assertError(await api.call('POST', '/accounts', { body: individual, headers }), 401, 'token_missing')
    const reader = await api.token(await installation.issueCredential(tenant.id), ['account.read'])
    assertError(
      await api.call('POST', '/accounts', { token: reader, body: individual, headers }),
      403,
      'insufficient_scope',
    )
    assertError(await tenant.post('/accounts', { ...individual, type: 'X' }, key), 400, 'validation_failed')
  })

  test('R237: a write that exceeds the rate limit has no effect and leaves its key unused', async () => {
    const credential = await installation.issueCredential(tenant.id, { requestsPerMinute: 1 })
    const token = await api.token(credential)
    const key = newKey()
    const email = `${key}@example.com`
    const send = (bearer: string) =>
      api.call('POST', '/accounts', { token: bearer, body: named(email), headers: { 'x-idempotency-key': key } })
    assertError(await send(token), 429, 'rate_limited')
    assert.equal(await accountsWith(email), 0)
  })

  test('a stored response cannot be read in the database, nor moved to another key', async () => {
    const key = newKey()
    await tenant.post('/accounts', named(`${key}@example.com`), key)
    await tenant.post('/accounts', named('other@example.com'), `${key}-2`)
    const rows = await installation.rows<{ body: Buffer; key_hash: Buffer }>(
      'select body, key_hash from cell.idempotency where tenant_id = $1 order by expires_at desc',
      [tenant.id],
    )
    for (const { body } of rows) assert.ok(!body.toString('latin1').includes('example.com'))
    const [newest, second] = rows
    await installation.rows('update cell.idempotency set body = $1 where key_hash = $2', [
      newest?.body,
      second?.key_hash,
    ])
    assertError(await tenant.post('/accounts', named(`${key}@example.com`), key), 500, 'internal_error')
  })
})

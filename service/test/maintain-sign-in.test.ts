import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createEmptyDatabase, ownerRows } from './harness/installation/database.ts'
import { administratorOf } from './harness/installation/maintain-commands.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

const fromPage = { 'sec-fetch-site': 'same-origin', 'x-console': '1' }

describe('maintain: how people sign in', async () => {
  const { maintain, maintainJson, createTenant } = administratorOf(() => database.url)

  const database = await createEmptyDatabase()
  const installation = new TestInstallation({ DATABASE_URL: database.url, REDIS_URL: '' })
  after(async () => {
    await installation?.end()
    await database.drop()
  })
  await maintainJson('migrate')
  const operatorApi = await installation.startOperatorApi()

  async function jobsOf(task: string): Promise<Record<string, string>[]> {
    const rows = await ownerRows(
      database.url,
      `select payload from graphile_worker._private_jobs job
         join graphile_worker._private_tasks task on task.id = job.task_id where task.identifier = $1`,
      [task],
    )
    return rows.map(({ payload }) => payload)
  }

  test('set-provider ends the sessions of a tenant and invites its people again', async () => {
    const tenant = await createTenant('Changed provider')
    const { userId, cookie } = await installation.createOperator(tenant)
    const elsewhere = await installation.createOperator(await installation.createTenant('Another'))
    const me = (session: string) =>
      operatorApi.call('GET', '/me', {
        headers: { ...fromPage, cookie: `__Host-session=${session}` },
      })
    assert.equal((await me(cookie)).status, 200)
    const invitationsOf = async (user: string) =>
      (await jobsOf('mail-invitation')).filter(({ user_id: invited }) => invited === user).length
    assert.equal(await invitationsOf(userId), 0)

    const { invited } = await maintainJson(`set-provider --tenant ${tenant} --provider acme`)
    assert.equal(invited, 1, 'the two people of create-tenant have not signed in, so their invitations remain')
    assert.equal((await me(cookie)).status, 401)
    assert.equal((await me(elsewhere.cookie)).status, 200)
    assert.equal(await invitationsOf(userId), 1)
    const rows = await ownerRows(database.url, 'select identity_id from directory.operator_user where id = $1', [
      userId,
    ])
    assert.deepEqual(rows, [{ identity_id: null }])
  })

  test('enable-tenant undoes disable-tenant, but ends all sessions', async () => {
    const tenant = await createTenant('Disabled by mistake')
    const { cookie } = await installation.createOperator(tenant)
    const { token } = await installation.createServiceUser(tenant, { duties: ['read'] })
    const statuses = async () => {
      const person = await operatorApi.call('GET', '/me', {
        headers: { ...fromPage, cookie: `__Host-session=${cookie}` },
      })
      return [person.status, (await operatorApi.call('GET', '/me', { token })).status]
    }
    assert.deepEqual(await statuses(), [200, 200])
    await maintainJson(`disable-tenant --tenant ${tenant}`)
    assert.deepEqual(await statuses(), [401, 401])
    assert.equal((await maintainJson(`enable-tenant --tenant ${tenant}`)).enabled, true)
    assert.deepEqual(await statuses(), [401, 200])

    const again = await maintain(`enable-tenant --tenant ${tenant}`)
    assert.equal(again.code, 1)
    assert.match(again.output, /does not exist or is not disabled/)
  })

  test('remove-passkeys removes all passkeys of a person, ends their sessions, and notifies the team', async () => {
    const tenant = await createTenant('Lost passkeys')
    const { userId, cookie } = await installation.createOperator(tenant)
    const removePasskeys = `remove-passkeys --tenant ${tenant} --user ${userId}`
    const passkeys = async () => {
      const rows = await ownerRows(
        database.url,
        `select from directory.passkey join directory.operator_user using (identity_id) where operator_user.id = $1`,
        [userId],
      )
      return rows.length
    }
    await ownerRows(
      database.url,
      `insert into directory.passkey (identity_id, id, public_key, sign_count, transports, name, created_at)
         select identity_id, '\\x01', '\\x02', 0, '{}', 'Lost laptop', now() from directory.operator_user where id = $1`,
      [userId],
    )
    const withoutProvider = await maintain(removePasskeys)
    assert.equal(withoutProvider.code, 1)
    assert.match(withoutProvider.output, /Without an identity provider the person could not sign in/)
    assert.equal(await passkeys(), 1)

    await ownerRows(database.url, `update directory.tenant set identity_provider = 'acme' where id = $1`, [tenant])
    assert.equal((await maintainJson(removePasskeys)).removed, 1)
    assert.equal(await passkeys(), 0)
    const headers = { ...fromPage, cookie: `__Host-session=${cookie}` }
    assert.equal((await operatorApi.call('GET', '/me', { headers })).status, 401)
    const notified = (await jobsOf('mail-maintenance')).filter(({ about }) => about === userId)
    assert.deepEqual(
      notified.map(({ event }) => event),
      ['passkeys removed', 'passkeys removed', 'passkeys removed'],
    )
  })

  test('break-glass prints a link that works once, notifies everyone with the duty team, and is audited', async () => {
    const tenant = await createTenant('Locked out')
    const { userId } = await installation.createOperator(tenant)
    const { link } = await maintainJson(`break-glass --tenant ${tenant} --user ${userId}`)
    const invitation = new URL(link).hash.slice(1)
    const use = () => operatorApi.call('POST', '/invitations/emergency', { headers: fromPage, body: { invitation } })
    assert.equal((await use()).status, 200)
    assert.equal((await use()).status, 404)
    const rows = await ownerRows(
      database.url,
      `select from base.audit_log where tenant_id = $1 and action = 'emergency_link.created' and subject_id = $2`,
      [tenant, userId],
    )
    assert.equal(rows.length, 1)
    // Three people have the duty: the two invited ones, and this one.
    const notified = (await jobsOf('mail-maintenance')).filter(({ about }) => about === userId)
    assert.deepEqual(
      notified.map(({ event }) => event),
      ['emergency link created', 'emergency link created', 'emergency link created'],
    )
  })
})

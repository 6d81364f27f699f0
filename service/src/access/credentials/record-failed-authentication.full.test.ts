import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { Mailbox } from '../../../test/harness/servers/mailbox.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import type { IssuedCredential } from './issue-credential.ts'

describe('failed authentication', async () => {
  const mailbox = await Mailbox.open()
  const installation = await TestInstallation.create({ SMTP_URL: mailbox.url, MAIL_FROM: 'ITS <its@example.com>' })
  const api = await installation.startApiProcess()
  await installation.startWorkerProcess()
  after(() => installation.end())
  after(() => mailbox.close())

  let sequence = 0
  /** Creates a tenant with this many admins and two credentials. */
  async function tenantWith(admins: number) {
    const tenantId = await installation.createTenant('T')
    const addresses = Array.from({ length: admins }, () => `admin-${++sequence}@example.com`)
    for (const address of addresses) await installation.addUser(tenantId, address)
    const [first, second] = [await installation.issueCredential(tenantId), await installation.issueCredential(tenantId)]
    const mails = () => mailbox.mails.filter(({ to }) => addresses.includes(to?.[0]?.address ?? ''))
    return { tenantId, addresses, first, second, mails }
  }
  const wrong = (credential: IssuedCredential) => api.auth({ ...credential, clientSecret: 'wrong' })
  const right = (credential: IssuedCredential) => api.auth(credential)
  /** Waits for all queued jobs: a mail that has not been sent by then never will be. */
  async function allJobsRan(): Promise<void> {
    await until('the queue is empty', async () => {
      const rows = await installation.rows<{ count: string }>('select count(*) from graphile_worker._private_jobs')
      return rows[0]?.count === '0'
    })
    await sleep(50)
  }

  test('R197, Q101: the third failure in a row mails each admin of the tenant and no one else', async () => {
    const tenant = await tenantWith(2)
    const other = await tenantWith(1)
    await wrong(tenant.first)
    await wrong(tenant.first)
    await allJobsRan()
    assert.equal(tenant.mails().length, 0)
    assert.equal((await wrong(tenant.first)).status, 401)
    await until('both mails arrive', () => tenant.mails().length === 2)
    await allJobsRan()
    assert.deepEqual(
      tenant
        .mails()
        .map(({ to }) => to?.[0]?.address)
        .toSorted(),
      tenant.addresses.toSorted(),
    )
    assert.equal(other.mails().length, 0)
    const text = tenant.mails()[0]?.text ?? ''
    assert.match(text, new RegExp(tenant.first.clientId))
    assert.match(text, /127\.0\.0\.1/)
    assert.match(text, /\d{4}-\d\d-\d\dT/)
    assert.doesNotMatch(text, new RegExp(`wrong\\b.*${tenant.first.clientSecret}|${tenant.first.clientSecret}`))
  })

  test('R198: after three and after ten failures the right secret works', async () => {
    const { first } = await tenantWith(0)
    for (let failure = 1; failure <= 10; failure++) {
      assert.equal((await wrong(first)).status, 401)
      if (failure === 3) assert.equal((await right(first)).status, 200)
    }
    assert.equal((await right(first)).status, 200)
  })

  test('R199: only failures in a row count', async () => {
    const tenant = await tenantWith(1)
    for (const attempt of [wrong, wrong, right, wrong, wrong]) await attempt(tenant.first)
    await allJobsRan()
    assert.equal(tenant.mails().length, 0)
    await wrong(tenant.first)
    await until('the mail arrives', () => tenant.mails().length === 1)
  })

  test('R200: failures are counted per credential', async () => {
    const tenant = await tenantWith(1)
    for (const credential of [tenant.first, tenant.second, tenant.first, tenant.second]) await wrong(credential)
    await allJobsRan()
    assert.equal(tenant.mails().length, 0)
  })

  test('R201: failures in a row send one mail, and another one only after a success', async () => {
    const tenant = await tenantWith(1)
    for (let failure = 0; failure < 6; failure++) await wrong(tenant.first)
    await allJobsRan()
    assert.equal(tenant.mails().length, 1)
    await right(tenant.first)
    for (let failure = 0; failure < 3; failure++) await wrong(tenant.first)
    await until('the second mail arrives', () => tenant.mails().length === 2)
  })

  test('R202: three concurrent failures send exactly one mail', async () => {
    const tenant = await tenantWith(1)
    // Forces the race: all three wait for the row that this connection has locked.
    await wrong(tenant.first)
    await right(tenant.first)
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from directory.failed_authentication where credential_id = $1 for update', [
        tenant.first.clientId,
      ])
      const attempts = [wrong(tenant.first), wrong(tenant.first), wrong(tenant.first)]
      await until('all three wait for the lock', async () => (await waitingForLocks(installation)) === 3)
      await client.query('commit')
      for (const response of await Promise.all(attempts)) assert.equal(response.status, 401)
    })
    await until('the mail arrives', () => tenant.mails().length === 1)
    await allJobsRan()
    assert.equal(tenant.mails().length, 1)
  })

  test('R197: a worker killed between taking the job and sending does not lose the mail', async () => {
    const tenant = await tenantWith(1)
    const other = await TestInstallation.create({ SMTP_URL: mailbox.url })
    try {
      const tenantId = await other.createTenant('K')
      await other.addUser(tenantId, tenant.addresses[0] ?? '')
      const credential = await other.issueCredential(tenantId)
      const ownApi = await other.startApi()
      const victim = await other.startWorkerProcess()
      const connectionsBefore = mailbox.connections
      const release = mailbox.delayGreetings()
      for (let failure = 0; failure < 3; failure++) await ownApi.auth({ ...credential, clientSecret: 'wrong' })
      await until('the worker connects to the mail server', () => mailbox.connections > connectionsBefore)
      await victim.kill()
      release()
      const startedAt = performance.now()
      const successor = await other.startWorkerProcess()
      await until('the mail arrives', () => tenant.mails().length === 1)
      const seconds = (performance.now() - startedAt) / 1000
      assert.ok(seconds < 30, `the mail took ${seconds.toFixed(1)} s from the start of the new worker`)
      await successor.logged('unlocked the jobs of dead workers')
    } finally {
      await other.end()
    }
  })
})

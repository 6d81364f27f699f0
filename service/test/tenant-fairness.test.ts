import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { after, describe, test } from 'node:test'
import { mailInvitation } from '../src/access/invitations/mail-invitation.job.ts'
import { enqueueJob } from '../src/platform/jobs/enqueue.sql.ts'
import { inDirectoryTransaction } from '../src/platform/postgres/cells/tenant-transaction.ts'
import { recheckOrdersOfAccount } from '../src/sales/blockers/recheck-orders.ts'
import { DirectOperations } from './harness/callers/operations.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { WebhookWorld } from './harness/data/webhook-world.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { camt053, importDirectly } from './harness/money/camt053.ts'
import { Mailbox } from './harness/servers/mailbox.ts'
import { WebhookReceiver } from './harness/servers/webhook-receiver.ts'
import { until } from './harness/wait.ts'

describe('a tenant that uses as much as it can does not stop another one', async () => {
  const mailbox = await Mailbox.open()
  const settings = { SMTP_URL: mailbox.url, MAIL_FROM: 'ITS <its@example.com>', WEBHOOK_TIMEOUT_MS: '30000' }
  const installation = await TestInstallation.create(settings)
  after(async () => {
    await installation.end()
    await mailbox.close()
  })
  const fixtures = new Fixtures(installation)
  const [busy, other] = [await installation.createTenant('Busy'), await installation.createTenant('Other')]
  await Promise.all([fixtures.offering(busy), fixtures.offering(other)])
  await installation.startWorker()

  const count = async (query: string, ...values: unknown[]): Promise<number> => {
    const rows = await installation.rows<{ count: number }>(query, values)
    return rows[0]?.count ?? -1
  }
  const pendingOf = (tenantId: string) =>
    count(`select count(*)::int from cell.bank_entry where tenant_id = $1 and state = 'pending'`, tenantId)
  const checksOf = (tenantId: string) =>
    count(
      `select count(*)::int from graphile_worker._private_jobs jobs
       join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
       where tasks.identifier = 'check-mint-preconditions' and payload ->> 'tenant_id' = $1`,
      tenantId,
    )
  const enqueueCheck = (tenantId: string) =>
    new DirectOperations(installation, tenantId).write((tx) =>
      recheckOrdersOfAccount(tx, { tenantId, accountId: crypto.randomUUID() }),
    )

  test("a large bank file delays neither another tenant's statement nor its order checks", async () => {
    const statements = Array.from({ length: 12 }, (_, index) => ({
      id: `S${index}`,
      entries: Array.from({ length: 300 }, () => ({ amount: '0.01', bankReference: crypto.randomUUID() })),
    }))
    await importDirectly(installation, busy, camt053({ statements }))
    await until('the large file is being matched', async () => (await pendingOf(busy)) < 12 * 300)
    await enqueueCheck(other)
    await importDirectly(installation, other, camt053({ entries: [{ amount: '1.00' }] }))
    await until('the check is done', async () => (await checksOf(other)) === 0)
    await until('the small file is matched', async () => (await pendingOf(other)) === 0)
    const left = await pendingOf(busy)
    assert.ok(left > 12 * 150, `${left} entries of the large file were left`)
    await until('the large file is matched', async () => (await pendingOf(busy)) === 0)
  })

  test("mails that hang leave slots for another tenant's jobs", async () => {
    const greet = mailbox.delayGreetings()
    try {
      const userId = await installation.addUser(busy, 'hanging@example.com')
      await inDirectoryTransaction(installation.databases, { tenantId: busy, access: 'write' }, async (tx) => {
        for (let index = 0; index < 10; index += 1)
          await enqueueJob(tx, mailInvitation, { tenant_id: busy, user_id: userId, invited_by: crypto.randomUUID() })
      })
      await until('mails are being sent', () => mailbox.connections > 0)
      await enqueueCheck(other)
      // A mail hangs for ten seconds, then the connection times out.
      await until('the check is done', async () => (await checksOf(other)) === 0, 5_000)
      assert.equal(mailbox.mails.length, 0)
    } finally {
      greet()
    }
  })

  test("300 webhook endpoints that hang do not delay another tenant's deliveries", async () => {
    const receiver = await WebhookReceiver.open()
    try {
      receiver.respond('/hang', () => {})
      const [hanging, quick] = [
        await WebhookWorld.create(installation, 'Hanging'),
        await WebhookWorld.create(installation, 'Quick'),
      ]
      for (let created = 0; created < 300; created += 1) await hanging.endpoint(`${receiver.url}/hang`)
      await quick.endpoint(`${receiver.url}/quick`)
      await hanging.recordEvent()
      await until('the tenant occupies its share', () => receiver.at('/hang').length >= 64)
      await quick.recordEvent()
      await until('the other tenant gets its message', () => receiver.at('/quick').length === 1)
      assert.equal(receiver.at('/hang').length, 64)
    } finally {
      await receiver.close()
    }
  })
})

describe('uploads that trickle', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startOperatorApi()

  /** Sends the beginning of a file and then nothing. Resolves with the response. */
  async function trickle(token: string): Promise<{ status: number; body: string }> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/xml' }
    const request = http.request(`${api.baseUrl}/operator/statements`, { method: 'POST', headers })
    request.on('error', () => {})
    request.write('<?xml version="1.0" encoding="UTF-8"?>')
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    return { status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }
  }

  test("four of one tenant leave room for another tenant's upload, and end with 408", async () => {
    const [slow, quick] = [await installation.createTenant('Slow'), await installation.createTenant('Quick')]
    await new Fixtures(installation).offering(quick)
    const { token } = await installation.createOperator(slow)
    const trickling = Array.from({ length: 4 }, () => trickle(token))
    const refused = await Promise.race(trickling)
    assert.equal(refused.status, 429, refused.body)
    assert.match(refused.body, /"too_many_uploads"/)
    const uploaded = await api.call('POST', '/statements', {
      token: (await installation.createOperator(quick)).token,
      body: camt053({ entries: [{ amount: '1.00' }] }),
      headers: { 'content-type': 'application/xml' },
    })
    assert.equal(uploaded.status, 201, uploaded.text)
    const responses = await Promise.all(trickling)
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [408, 408, 429, 429])
    assert.match(responses.find(({ status }) => status === 408)?.body ?? '', /less than 16 KiB a second/)
  })
})

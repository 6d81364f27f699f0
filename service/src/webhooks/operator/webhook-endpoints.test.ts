import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'

describe('webhook endpoints', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const tenantId = await installation.createTenant('T')
  const operator = await OperatorClient.create(installation, api, tenantId, 'admin')

  const rows = (text: string, values: unknown[]) => installation.rows(text, values)

  test('the secret is shown once and is encrypted in the database', async () => {
    const created = await operator.post('/webhook-endpoints', { url: 'https://example.com/a' })
    assert.equal(created.status, 201, created.text)
    const { id, secret } = created.body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const read = await operator.get(`/webhook-endpoints/${id}`)
    assert.doesNotMatch(read.text, /whsec_/)
    const rotated = await operator.post(`/webhook-endpoints/${id}/rotate`, {})
    assert.notEqual(rotated.body.secret, secret)
    const [row] = await rows('select * from cell.webhook_endpoint where id = $1', [id])
    for (const box of [row.secret, row.previous_secret]) {
      assert.doesNotMatch(box.toString('latin1'), /whsec_/)
      assert.equal(box.includes(Buffer.from(secret.slice('whsec_'.length), 'base64')), false)
    }
    const audited = await rows('select before, after from base.audit_log where subject_id = $1', [id])
    assert.equal(audited.length, 2)
    assert.doesNotMatch(JSON.stringify(audited), /whsec_/)
  })

  test('400: a forbidden URL is rejected on creation and on update', async () => {
    const { body } = await operator.post('/webhook-endpoints', { url: 'https://example.com/b' })
    for (const [url, expected] of [
      ['ftp://example.com/', 'The member url must start with https://.'],
      ['example.com', 'The member url must be a URL, such as https://example.com/webhooks.'],
      [
        'https://me:secret@example.com/',
        'The member url must not contain a user or password: messages are signed instead.',
      ],
    ] as const)
      for (const response of [
        await operator.post('/webhook-endpoints', { url }),
        await api.call('PATCH', `/webhook-endpoints/${body.id}`, { token: operator.who.token, body: { url } }),
      ]) {
        assertError(response, 400, 'validation_failed')
        assert.deepEqual(response.body.error.errors, [{ detail: expected, pointer: '/url' }])
      }
  })

  test('409: a second resend while one is in progress, and one of more than 100,000 events', async () => {
    const other = await installation.createTenant('Many')
    const many = await OperatorClient.create(installation, api, other, 'admin')
    const { body } = await many.post('/webhook-endpoints', { url: 'https://example.com/' })
    const path = `/webhook-endpoints/${body.id}/resend`
    const none = await many.post(path, { since: '2026-07-02T10:00:00.000Z' })
    assert.deepEqual(none.body.resend, { since: '2026-07-02T10:00:00.000Z', events: 0, done: 0 })
    await installation.rows(
      `insert into cell.event (tenant_id, sequence, day, id, type, scope, version, data, created_at)
       select $1, sequence, now()::date, gen_random_uuid(), 'order.paid', 'order.read', '2026-07-02', '{}', now()
       from generate_series(1, 100001) sequence`,
      [other],
    )
    await rows('insert into cell.event_head values ($1, 100001)', [other])
    const since = new Date(Date.now() - 3_600_000).toISOString()
    assertError(await many.post(path, { since }), 409, 'webhook_resend_too_large')
    await rows('update cell.event set created_at = $2 where tenant_id = $1 and sequence = 1', [
      other,
      new Date(Date.now() - 7_200_000),
    ])
    const started = await many.post(path, { since })
    assert.deepEqual(started.body.resend, { since, events: 100_000, done: 0 })
    assertError(await many.post(path, { since }), 409, 'webhook_resend_in_progress')
  })
})

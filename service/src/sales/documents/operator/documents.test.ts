import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../../test/harness/api-client.ts'
import { dumpData } from '../../../../test/harness/data-dump.ts'
import { OperatorClient } from '../../../../test/harness/operator-client.ts'
import { recordedChanges } from '../../../../test/harness/recorded.ts'
import { type RunningApi, TestInstallation } from '../../../../test/harness/service.ts'
import { TestTenant } from '../../../../test/harness/tenant.ts'
import { until } from '../../../../test/harness/wait.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500_000, 'pixels\x00\xff', 'latin1')])
const files = {
  'application/pdf': Buffer.from('%PDF-1.7 passport'),
  'image/png': png,
  'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'text/plain': Buffer.from('words with ü and lines\r\n\tof text'),
} as const

describe('documents', () => {
  let installation: TestInstallation
  let api: RunningApi
  let tenant: TestTenant
  let operator: OperatorClient
  let viewer: OperatorClient

  before(async () => {
    installation = await TestInstallation.create()
    const [integrators, operators] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
    api = operators
    tenant = await TestTenant.create(installation, integrators)
    operator = await OperatorClient.create(installation, api, tenant.id)
    viewer = await OperatorClient.create(installation, api, tenant.id, 'viewer')
  })
  after(() => installation.end())

  const upload = (path: string, body: Uint8Array, type = 'application/pdf') =>
    api.call('POST', path, { token: operator.who.token, body, headers: { 'content-type': type } })
  /** Not with the client of the harness, which reads responses as text. */
  async function download(id: string): Promise<{ bytes: Buffer; headers: Headers }> {
    const response = await fetch(`${api.baseUrl}/operator/documents/${id}/download`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.who.token}` },
    })
    assert.equal(response.status, 200)
    return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
  }

  test('the content decides the type, the file comes back byte for byte, and each download is audited', async () => {
    const accountId = await tenant.account()
    for (const [type, bytes] of Object.entries(files)) {
      // The header may say any of the types.
      const { status, body, text } = await upload(`/accounts/${accountId}/documents?kind=identity`, bytes, 'image/png')
      assert.equal(status, 201, text)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      assert.deepEqual(
        [body.content_type, body.bytes, body.sha256, body.kind, body.subject_type, body.subject_id, body.uploaded_by],
        [type, bytes.length, sha256, 'identity', 'account', accountId, operator.who.userId],
      )
      const { bytes: received, headers } = await download(body.id)
      assert.ok(received.equals(bytes), type)
      // Never a type that a browser would display.
      assert.equal(headers.get('content-type'), 'application/octet-stream')
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="document-[0-9a-f-]+\.[a-z]+"$/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      const actions = (await recordedChanges(installation, body.id)).map(({ action }) => action)
      assert.deepEqual(actions, ['document.uploaded', 'document.downloaded'])
      assertError(await viewer.post(`/documents/${body.id}/download`), 403, 'insufficient_duty')
    }
    const { pagination, results } = (await viewer.get(`/accounts/${accountId}/documents`)).body
    assert.deepEqual([pagination.count, results.length, results[0].content_type], [4, 4, 'text/plain'])
  })

  test('other content, an empty file and more than 10 MiB are rejected', async () => {
    const path = `/accounts/${await tenant.account()}/documents`
    for (const bytes of [
      Buffer.from('MZ\x90\x00\x03', 'latin1'),
      Buffer.from('PK\x03\x04'),
      Buffer.from('half a character: \xc3', 'latin1'),
      Buffer.from('text with\x00nul'),
      Buffer.from(' %PDF-1.7\x01'),
    ])
      assertError(await upload(path, bytes), 400, 'document_type_unsupported')
    assertError(await upload(path, Buffer.alloc(10 * 1024 * 1024 + 1, 'a')), 413, 'payload_too_large')
    assertError(await upload(path, files['text/plain'], 'text/html'), 415, 'unsupported_media_type')
    assert.equal((await viewer.get(path)).body.pagination.count, 0)
  })

  describe('a body that is too large is rejected at once, and its client can send the rest and another request:', () => {
    const rest = Buffer.alloc(12 * 1024 * 1024, 'a')
    const chunk = Buffer.concat([Buffer.from(`${rest.length.toString(16)}\r\n`), rest, Buffer.from('\r\n')])
    const declared = `Content-Length: ${rest.length}`
    for (const [what, { path, type, header, first, last }] of Object.entries({
      'a file': { path: 'documents', type: 'application/pdf', header: declared, first: '', last: rest },
      'a file of unknown size': {
        path: 'documents',
        type: 'application/pdf',
        header: 'Transfer-Encoding: chunked',
        first: chunk,
        last: Buffer.concat([chunk, Buffer.from('0\r\n\r\n')]),
      },
      JSON: { path: 'decision', type: 'application/json', header: declared, first: '', last: rest },
    }))
      test(what, async () => {
        const { port, hostname } = new URL(api.baseUrl)
        const connection = connect(Number(port), hostname)
        let received = ''
        connection.on('data', (data) => {
          received += data.toString()
        })
        connection.write(
          `POST /operator/accounts/${await tenant.account()}/${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n` +
            `Content-Type: ${type}\r\nAuthorization: Bearer ${operator.who.token}\r\n\r\n`,
        )
        connection.write(first)
        await until('it is rejected', () => received.includes('"payload_too_large"'))
        // If the connection were closed meanwhile, the client would read an error instead of the response.
        connection.write(last)
        connection.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
        await until('the next request is served', () => received.includes('{"status":"alive"}'))
        connection.destroy()
      })
  })

  test('documents of orders and offerings are apart; the same file twice is one document', async () => {
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const orderId = await tenant.order(offeringId, await tenant.account())
    const ids = new Set<string>()
    for (const path of [`/orders/${orderId}/documents`, `/offerings/${offeringId}/documents`])
      for (const _ of [1, 2]) {
        const { status, body, text } = await upload(path, files['application/pdf'])
        assert.equal(status, 201, text)
        ids.add(body.id)
        assert.equal((await viewer.get(path)).body.results[0].id, body.id)
      }
    assert.equal(ids.size, 2)
  })

  test('a file is sealed in the database, and deleted completely', async () => {
    const secret = `passport number ${crypto.randomUUID()}`
    const hex = Buffer.from(secret).toString('hex')
    const base64 = Buffer.from(Buffer.from(secret).toString('base64')).toString('hex')
    const { body } = await upload(`/accounts/${await tenant.account()}/documents`, Buffer.from(secret))
    const dump = await dumpData(installation.config.databaseUrl)
    assert.ok(dump.includes(body.id) && !dump.includes(secret) && !dump.includes(hex) && !dump.includes(base64))
    assert.equal((await operator.post(`/documents/${body.id}/delete`, { reason: 'replaced' })).status, 200)
    assertError(await operator.post(`/documents/${body.id}/download`), 404, 'not_found')
    const { rowCount } = await installation.owner((client) =>
      client.query('select from cell.document_part where document_id = $1', [body.id]),
    )
    assert.equal(rowCount, 0)
  })
})

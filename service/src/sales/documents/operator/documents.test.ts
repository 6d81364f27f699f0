import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { newOffering } from '../../../../test/harness/data/bodies.ts'
import { openRules } from '../../../../test/harness/data/eligibility.ts'
import { recordedChanges } from '../../../../test/harness/data/recorded.ts'
import { createTenantAndOperator } from '../../../../test/harness/data/tenant-and-operator.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { dumpData } from '../../../../test/harness/installation/data-dump.ts'
import { useSharedApis } from '../../../../test/harness/installation/running-installation.ts'
import { setThreshold } from '../../../../test/harness/installation/test-tenants.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { until } from '../../../../test/harness/wait.ts'
import type { Policy } from '../../../platform/api/declare/approval.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500_000, 'pixels\x00\xff', 'latin1')])
const files = {
  'application/pdf': Buffer.from('%PDF-1.7 passport'),
  'image/png': png,
  'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'text/plain': Buffer.from('words with ü and lines\r\n\tof text'),
} as const

describe('documents', async () => {
  const running = await useSharedApis()
  const { installation, operatorApi: api, tenant, operator } = await createTenantAndOperator(running)
  const viewer = await OperatorClient.create(installation, api, tenant.id, 'viewer')

  const upload = (path: string, body: Uint8Array, type = 'application/pdf') => operator.upload(path, body, type)
  /** Downloads without the client of the harness, which reads responses as text. */
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
      const actions = pluck(await recordedChanges(installation, body.id), 'action')
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

  test('documents of orders and offerings are separate; the same file twice is one document', async () => {
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
    const parts = await installation.rows('select from cell.document_part where document_id = $1', [body.id])
    assert.deepEqual(parts, [])
  })

  describe('with the policies of a new tenant', async () => {
    const { tenant: careful, operator: clerk } = await createTenantAndOperator(running, 'all duties')
    await installation.useDefaultPolicies(careful.id)
    const second = await installation.createOperator(careful.id)

    const send = async (path: string): Promise<string> => {
      const uploaded = await clerk.upload(path, crypto.randomUUID(), 'text/plain')
      assert.equal(uploaded.status, 201, uploaded.text)
      return uploaded.body.id
    }
    const remove = (id: string) => clerk.post(`/documents/${id}/delete`, { reason: 'replaced' })
    const allow = (policy: Policy) => setThreshold(installation, careful.id, policy, null)

    test('one person cannot delete a document of an account', async () => {
      const accountId = await careful.account()
      const id = await send(`/accounts/${accountId}/documents?kind=other`)
      const proposal = await remove(id)
      assert.equal(proposal.status, 202, proposal.text)
      assert.equal((await clerk.get(`/accounts/${accountId}/documents`)).body.results[0].id, id)
      const { subject_name: name } = (await clerk.get(`/approvals/${proposal.body.approval_id}`)).body
      assert.equal(name, 'Ada Lovelace')
      assert.equal((await confirmAs(api, second, proposal)).status, 200)
      assertError(await remove(id), 404, 'not_found')
      await allow('kyc_reapproval')
      assert.equal((await remove(await send(`/accounts/${await careful.account()}/documents`))).status, 200)
    })

    test('deleting a document that an offering on sale requires takes two persons; deleting others takes one', async () => {
      const offeringId = (await clerk.post('/offerings', newOffering)).body.id
      const path = `/offerings/${offeringId}/documents`
      const [first, required, other] = [await send(path), await send(path), await send(path)]
      const rules = { ...openRules, document_ids: [first, required] }
      assert.equal((await clerk.post(`/offerings/${offeringId}/eligibility`, rules)).status, 200)
      assert.equal((await remove(first)).status, 200)
      const opened = await confirmAs(api, second, await clerk.post(`/offerings/${offeringId}/open`))
      assert.equal(opened.status, 200, opened.text)
      assert.equal((await remove(other)).status, 200)
      const proposal = await remove(required)
      assert.equal(proposal.status, 202, proposal.text)
      assert.equal((await confirmAs(api, second, proposal)).status, 200)
      await allow('offering_opening')
      const late = await send(path)
      const changed = await clerk.post(`/offerings/${offeringId}/eligibility`, { ...openRules, document_ids: [late] })
      assert.equal(changed.status, 200, changed.text)
      assert.equal((await remove(late)).status, 200)
    })
  })
})

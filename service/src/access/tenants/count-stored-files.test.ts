import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { waitingAlarms } from '../../../test/harness/data/waiting-alarms.ts'
import { type ApiResponse, assertError } from '../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { camt053 } from '../../../test/harness/money/camt053.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'

const mebibyte = 1_048_576

describe('the limit on the size of the files of a tenant', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])

  async function clerkWith(fileMebibytes: number) {
    const tenant = await TestTenant.create(installation, api)
    await tenant.fixtures.offering(tenant.id)
    await installation.setLimits(tenant.id, { fileMebibytes })
    const clerk = await OperatorClient.create(installation, operatorApi, tenant.id, 'all duties')
    const accountId = await tenant.account()
    const send = (path: string, type: string, body: Uint8Array | string): Promise<ApiResponse> =>
      operatorApi.call('POST', path, { token: clerk.who.token, body, headers: { 'content-type': type } })
    const upload = (bytes: number) =>
      send(`/accounts/${accountId}/documents`, 'text/plain', randomBytes(bytes / 2).toString('hex'))
    const importFile = (xml: string) => send('/statements', 'application/xml', xml)
    return { tenant, clerk, upload, importFile, accountId }
  }

  const storedOf = async (tenantId: string) => {
    const rows = await installation.rows(
      `select file_bytes::int as counted, (
         select coalesce(sum(octet_length(content)), 0)::int from cell.document_part where tenant_id = $1) as stored
       from cell.tenant where id = $1`,
      [tenantId],
    )
    return rows[0] as { counted: number | null; stored: number }
  }
  const assertLimited = (response: ApiResponse) => {
    assertError(response, 409, 'tenant_limit_reached')
    assert.match(response.body.error.message, /at most 3 MiB of documents, imported bank files and exports/)
  }

  test('rejects documents above it, with an alarm at four fifths; deleting a document makes room', async () => {
    const { tenant, clerk, upload } = await clerkWith(3)
    const first = await upload(mebibyte)
    assert.equal(first.status, 201, first.text)
    assert.deepEqual(await waitingAlarms(installation, tenant.id), [])
    assert.equal((await upload(mebibyte * 0.8)).status, 201)
    assert.deepEqual(await waitingAlarms(installation, tenant.id), ['tenant.files_filling'])
    assertLimited(await upload(mebibyte))
    const { counted, stored } = await storedOf(tenant.id)
    assert.equal(counted, stored)
    assert.ok(stored > 1.8 * mebibyte && stored <= 3 * mebibyte, `${stored}`)

    const deleted = await clerk.post(`/documents/${first.body.id}/delete`, { reason: 'not needed' })
    assert.equal(deleted.status, 200, deleted.text)
    const left = await storedOf(tenant.id)
    assert.equal(left.counted, left.stored)
    assert.ok(left.stored < 1.5 * mebibyte)
    assert.equal((await upload(mebibyte)).status, 201)
  })

  test('of two concurrent uploads with room for only one, one is accepted', async () => {
    const { tenant, upload, clerk } = await clerkWith(3)
    assert.equal((await upload(mebibyte)).status, 201)
    const otherAccount = await tenant.account()
    const responses = await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from cell.tenant where id = $1 for update', [tenant.id])
      const both = [
        upload(mebibyte),
        operatorApi.call('POST', `/accounts/${otherAccount}/documents`, {
          token: clerk.who.token,
          body: randomBytes(mebibyte / 2).toString('hex'),
          headers: { 'content-type': 'text/plain' },
        }),
      ]
      await until('both wait', async () => (await waitingForLocks(installation)) === 2)
      await client.query('commit')
      return Promise.all(both)
    })
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 409])
    const { counted, stored } = await storedOf(tenant.id)
    assert.equal(counted, stored)
  })

  test('counts files from before the limit existed when the next one is stored', async () => {
    const { tenant, upload } = await clerkWith(3)
    assert.equal((await upload(mebibyte)).status, 201)
    await installation.rows('update cell.tenant set file_bytes = null where id = $1', [tenant.id])
    assert.equal((await upload(mebibyte / 2)).status, 201)
    const { counted, stored } = await storedOf(tenant.id)
    assert.equal(counted, stored)
    assertLimited(await upload(mebibyte))
  })

  test('counts bank files and exports, and rejects new ones once it is reached', async () => {
    const { tenant, clerk, importFile } = await clerkWith(3)
    const imported = await importFile(camt053({ entries: [{ amount: '1.00' }] }))
    assert.equal(imported.status, 201, imported.text)
    const { counted: afterImport } = await storedOf(tenant.id)
    assert.ok(afterImport !== null && afterImport > 1_000, `${afterImport}`)
    const created = await clerk.post('/exports', { kind: 'orders' })
    assert.equal(created.status, 201, created.text)
    await installation.startWorker()
    await until(
      'the export is done',
      async () => (await clerk.get(`/exports/${created.body.id}`)).body.state === 'done',
    )
    const { counted: afterExport } = await storedOf(tenant.id)
    assert.ok(Number(afterExport) > afterImport)
    await clerk.post(`/exports/${created.body.id}/cancel`)
    await until('the file is deleted', async () => (await storedOf(tenant.id)).counted === afterImport)

    await installation.setLimits(tenant.id, { fileMebibytes: 0 })
    assertError(await clerk.post('/exports', { kind: 'orders' }), 409, 'tenant_limit_reached')
    assertError(await importFile(camt053({ entries: [{ amount: '2.00' }] })), 409, 'tenant_limit_reached')
  })
})

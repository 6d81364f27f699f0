import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import { expireApproval } from '../src/access/approvals/expire-approval.job.ts'
import { operations } from '../src/operations.ts'
import { operatorApiOperations } from '../src/operator-operations.ts'
import { exampleOf } from '../src/platform/api/declare/example.ts'
import { maskOf } from '../src/platform/api/declare/masked.ts'
import type { Operation } from '../src/platform/api/declare/operation.ts'
import { newRowId } from '../src/platform/base/ids.ts'
import { Placement } from '../src/platform/postgres/cells/placement.ts'
import { OperatorClient } from './harness/callers/operator-client.ts'
import { confirmAs } from './harness/callers/second-person.ts'
import type { ApiResponse } from './harness/installation/api-client.ts'
import { dumpData } from './harness/installation/data-dump.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { until } from './harness/wait.ts'

// Short enough for every write-only member, in letters that each of their patterns allows.
const marker = 'Zq7distinct'
let secretsSent = 0
const newSecret = () => `whsec_${marker}${String(secretsSent++).padStart(18, '0')}`

/** Every form in which a database dump, a log or a file could contain the marker in the clear. */
const base64 = [0, 1, 2].map((shift) =>
  Buffer.from(`${'x'.repeat(shift)}${marker}`)
    .toString('base64')
    .slice(4, 4 + 8),
)
const forms = [marker, Buffer.from(marker).toString('hex'), ...base64]

const all: readonly Operation[] = [...operations, ...operatorApiOperations]
const withSecret = all.filter(({ header }) => maskOf(header.body, 'secret'))

/** Returns the body with a distinctive secret in each write-only member. */
function bodyWithSecrets(schema: TSchema, body: unknown): unknown {
  const {
    writeOnly,
    maxLength,
    properties = {},
  } = schema as {
    writeOnly?: boolean
    maxLength?: number
    properties?: Record<string, TSchema>
  }
  if (writeOnly) return (maxLength ?? 1_000) < 30 ? marker : newSecret()
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      properties[name] ? bodyWithSecrets(properties[name], value) : value,
    ]),
  )
}

describe('a secret that is sent', async () => {
  /** Ids of the latest providers. */
  const ids: Record<string, string> = {}

  const installation = await TestInstallation.create({ LOG_LEVEL: 'debug' })
  after(() => installation.end())
  const [api, operatorApi, worker] = await Promise.all([
    installation.startApi(),
    installation.startOperatorApi(),
    installation.startWorker(),
  ])
  const tenantId = await installation.createTenant('A')
  const admin = await OperatorClient.create(installation, operatorApi, tenantId, 'all duties')
  const viewer = await OperatorClient.create(installation, operatorApi, tenantId, 'viewer')

  const send = ({ kind, header }: Operation): Promise<ApiResponse> => {
    const { bodyExamples, body: schema, id, method, path } = header
    const example = bodyExamples?.['stripe'] ?? bodyExamples?.['sumsub'] ?? exampleOf(schema as TSchema)
    const body = bodyWithSecrets(schema as TSchema, example)
    const proof = kind === 'operator' ? { cookie: admin.who.cookie } : {}
    const isIntegrators = operations.some((one) => one.header.id === id)
    return (isIntegrators ? api : operatorApi).call(
      method,
      path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? ''),
      { ...proof, body },
    )
  }

  const remember = ({ header }: Operation, { id }: { id: string }) => {
    if (header.id === 'createPaymentProvider') ids['providerId'] = id
    if (header.id === 'createKycProvider') ids['kycProviderId'] = id
  }

  const assertNowhere = (where: string, text: string) => {
    for (const form of forms) {
      const at = text.indexOf(form)
      assert.equal(at, -1, `${where} contains a secret: ${text.slice(Math.max(0, at - 200), at + 50)}`)
    }
  }

  /** Checks everything that is stored, was logged, or can be read by a person who may only read. */
  async function assertNotKept(): Promise<void> {
    assertNowhere('the database', await dumpData(installation.config.databaseUrl))
    for (const { output } of [api.process, operatorApi.process, worker]) assertNowhere('a log', output.join('\n'))
    const paths = ['/audit?limit=100', '/payment-providers', '/kyc-providers', '/work', '/events']
    for (const path of paths) assertNowhere(path, (await viewer.get(path)).text)
    for (const list of ['/approvals', '/directory-approvals']) {
      const { body, text } = await viewer.get(`${list}?limit=100`)
      assertNowhere(list, text)
      for (const { id } of body.results) assertNowhere(list, (await viewer.get(`${list}/${id}`)).text)
    }
    const exported = await admin.post('/exports', { kind: 'audit' })
    assert.equal(exported.status, 201, exported.text)
    const { id } = exported.body
    await until('the export is done', async () => (await admin.get(`/exports/${id}`)).body.state === 'done')
    const file = await admin.download(`/exports/${id}/download`, 'text/csv')
    assert.ok(file.text.includes('payment_provider'), file.text)
    assertNowhere('the export of the audit log', file.text)
  }

  test('alone by every operation that takes one is nowhere in the clear, whether it is accepted or not', async () => {
    const accepted: string[] = []
    for (const operation of withSecret) {
      const response = await send(operation)
      assertNowhere(`the response of ${operation.header.id}`, response.text)
      if (response.status < 300) {
        accepted.push(operation.header.id)
        remember(operation, response.body)
      } else assert.ok(response.status < 500, response.text)
    }
    assert.deepEqual(accepted, [
      'createKycProvider',
      'rotateKycProvider',
      'createPaymentProvider',
      'rotatePaymentProvider',
    ])
    await assertNotKept()
  })

  test('in a proposal is "set, not shown", sealed while it waits, and deleted when it is decided', async () => {
    await installation.useDefaultPolicies(tenantId)
    const [second, other] = [
      await installation.createOperator(tenantId),
      await OperatorClient.create(installation, operatorApi, tenantId, 'all duties'),
    ]
    const withProposal = withSecret.filter((one) => one.kind === 'operator' && one.rule)
    assert.equal(withProposal.length, 4)
    const secretsOf = async (approvalId: string) => {
      const rows = await installation.rows('select secrets from base.approval where id = $1', [approvalId])
      return rows[0].secrets
    }
    const ends: Record<string, (proposal: ApiResponse) => Promise<unknown>> = {
      rejected: ({ body }) => other.post(`/approvals/${body.approval_id}/reject`),
      withdrawn: ({ body }) => admin.post(`/approvals/${body.approval_id}/withdraw`),
      expired: ({ body }) => expire(body.approval_id),
      confirmed: (proposal) => confirmAs(operatorApi, second, proposal),
    }
    for (const operation of withProposal) {
      if (operation.header.id.startsWith('create')) await disableProviders()
      for (const [state, end] of Object.entries(ends)) {
        const name = `${operation.header.id} ${state}`
        const proposal = await send(operation)
        assert.equal(proposal.status, 202, `${name}: ${proposal.text}`)
        const approval = async () => (await viewer.get(`/approvals/${proposal.body.approval_id}`)).body
        assert.equal((await approval()).request.body.secret, 'set, not shown', name)
        assert.ok(await secretsOf(proposal.body.approval_id), `${name}: sealed while it waits`)
        if (state === 'confirmed') assertNowhere('the database', await dumpData(installation.config.databaseUrl))
        const ended = await end(proposal)
        if (state === 'confirmed') remember(operation, (ended as ApiResponse).body.result)
        const decided = await approval()
        assert.deepEqual([decided.state, decided.request.body.secret], [state, 'set, not shown'], name)
        assert.equal(await secretsOf(proposal.body.approval_id), null, `${name}: deleted`)
      }
    }
    await assertNotKept()
  })

  test('in a proposal of an earlier release is deleted by the migration, and its readers see no request', async () => {
    await disableProviders()
    const waiting = await admin.post('/payment-providers', { kind: 'stripe', secret: newSecret() })
    const credential = await admin.post('/credentials', { name: 'Order desk', scopes: ['order.create'] })
    assert.deepEqual([waiting.status, credential.status], [202, 202])
    const file = new URL('../migrations/cell/0020_secrets_and_kyc_levels.sql', import.meta.url)
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query(readFileSync(file, 'utf8'))
      await client.query('commit')
      const { rows } = await client.query(
        `select from base.approval where operation ~ '^(create|rotate)(Payment|Kyc)Provider$' and request <> ''`,
      )
      assert.equal(rows.length, 0)
    })
    const { state, request } = (await viewer.get(`/approvals/${waiting.body.approval_id}`)).body
    assert.deepEqual([state, request], ['expired', { params: {}, query: {}, body: null }])
    const other = (await viewer.get(`/directory-approvals/${credential.body.approval_id}`)).body
    assert.deepEqual([other.state, other.request.body.name], ['pending', 'Order desk'])
  })

  /** Lets the approval expire, without the trigger that deletes the secrets of an approval that ends early. */
  async function expire(approvalId: string): Promise<void> {
    await installation.owner(async (client) => {
      await client.query('set session_replication_role = replica')
      await client.query('update base.approval set expires_at = now() where id = $1', [approvalId])
    })
    const { databases } = installation
    const context = { databases, placement: new Placement(databases), clock: () => new Date() }
    const key = { tenant_id: tenantId, approval_id: approvalId, database: 'cell' } as const
    await expireApproval.run({ ...key, event_id: newRowId() }, context)
  }

  /** Makes room for new providers with the same names. */
  const disableProviders = () =>
    installation.owner(async (client) => {
      await client.query('update cell.kyc_provider set disabled_at = now()')
      await client.query('update cell.payment_provider set disabled_at = now()')
    })
})

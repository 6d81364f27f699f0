import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { createLogger } from '../../platform/base/log.ts'
import type { LoopContext } from '../../platform/jobs/loop.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { createPool } from '../../platform/postgres/pools.ts'
import { findAuditProblem } from './audit.sql.ts'
import { AuditTrail } from './audit-trail.ts'
import { publishHeads } from './publish-audit-heads.ts'

interface Published {
  readonly database: string
  readonly heads: readonly { tenant_id: string; sequence: number; hash: string }[]
}

describe('the ends of audit logs', async () => {
  const received: Published[] = []
  const lines: string[] = []
  let status = 204
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => {
      text += part.toString()
    })
    request.on('end', () => {
      if (status === 204) received.push(JSON.parse(text) as Published)
      response.writeHead(status).end()
    })
  })

  const installation = await sharedInstallation()
  const tenantId = await installation.createTenant('A')
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { config } = installation
  const login = { url: config.databaseUrl, role: 'investor_token_worker', cell: undefined } as const
  const pool = createPool(login, config, createLogger('silent', 'test'))
  after(() => pool.end())
  after(() => receiver.close())
  after(() => installation.end())

  async function append(): Promise<void> {
    const trail = new AuditTrail({ type: 'system', id: null, requestId: null })
    trail.add({ action: 'offering.changed', subject: { type: 'offering', id: crypto.randomUUID() } })
    await inDirectoryTransaction(installation.databases, { tenantId, access: 'write' }, (tx) => trail.write(tx))
  }

  const log = createLogger('info', 'test', { write: (line: string) => lines.push(line) })
  const publish = (own: Pick<LoopContext, 'databases' | 'pool'> = { databases: installation.databases, pool }) =>
    publishHeads(
      {
        ...own,
        clock: systemClock,
        log,
        cell: 'main',
        auditHeadsUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/heads`,
      },
      () => {},
    )
  const headOf = (published: Published | undefined) => published?.heads.find((head) => head.tenant_id === tenantId)

  test('go to the log and to the receiver when they have changed', async () => {
    await append()
    await publish()
    const first = headOf(received.at(-1))
    assert.ok(first)
    assert.ok(lines.some((line) => line.includes(first.hash) && line.includes(tenantId)))
    await publish()
    assert.equal(received.length, 1, 'nothing has changed')
    await append()
    await publish()
    assert.equal(headOf(received.at(-1))?.sequence, first.sequence + 1)
  })

  test('are published again by the next run if the receiver fails', async () => {
    await append()
    status = 500
    await assert.rejects(publish(), /AUDIT_HEADS_URL responded with 500/)
    status = 204
    const count = received.length
    await publish()
    assert.equal(received.length, count + 1)
  })

  test('are not missed in another installation of the same process whose cell has the same name', async () => {
    await publish()
    const other = await TestInstallation.create()
    const otherPool = createPool(
      { ...login, url: other.config.databaseUrl },
      other.config,
      createLogger('silent', 'test'),
    )
    await publish({ databases: other.databases, pool: otherPool })
    await otherPool.end()
    await other.end()
    assert.equal(lines.filter((line) => line.includes('does not contain the end')).length, 0)
  })

  test('reveal a log that was rewritten together with its hashes and its end', async () => {
    const sequence = headOf(received.at(-1))?.sequence ?? 0
    await installation.owner(async (client) => {
      await client.query(
        `update base.audit_log set action = 'offering.forged' where tenant_id = $1 and sequence = $2`,
        [tenantId, sequence],
      )
      await client.query(
        `update base.audit_log entry set hash = base.audit_hash(entry) where tenant_id = $1 and sequence = $2`,
        [tenantId, sequence],
      )
      await client.query(
        `update base.audit_head set hash = (select hash from base.audit_log entry
         where entry.tenant_id = audit_head.tenant_id and entry.sequence = audit_head.sequence) where tenant_id = $1`,
        [tenantId],
      )
    })
    const problem = await inDirectoryTransaction(installation.databases, { tenantId, access: 'read' }, findAuditProblem)
    assert.equal(problem, undefined, 'the chain itself is intact')
    await publish()
    const found = lines.filter((line) => line.includes('does not contain the end that was published'))
    assert.equal(found.length, 1)
    assert.ok(found[0]?.includes(tenantId))
    await publish()
    assert.equal(lines.filter((line) => line.includes('does not contain the end')).length, 1, 'reported once')
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { Type } from 'typebox'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { until } from '../../../test/harness/wait.ts'
import { createLogger } from '../base/log.ts'
import { Placement } from '../postgres/cells/placement.ts'
import { inTenantTransaction } from '../postgres/cells/tenant-transaction.ts'
import { createPool } from '../postgres/pools.ts'
import { enqueueJob } from './enqueue.sql.ts'
import { type JobContext, job } from './job.ts'
import { QueueSession } from './queue-session.ts'
import { startWorker } from './worker.ts'

describe('traces of jobs', async () => {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const log = createLogger('silent', 'test')

  provider.register()
  const installation = await TestInstallation.create()
  after(() => installation.end())
  after(() => provider.shutdown())

  test('the span of a job links to the request that enqueued it, and the job gets its payload only', async () => {
    const tenantId = await installation.createTenant('T')
    const payloads: unknown[] = []
    const payload = Type.Object({ tenant_id: Type.String() }, { additionalProperties: false })
    const traced = job({ name: 'traced', payload, run: async (own) => void payloads.push(own) })
    const { databases, config } = installation
    const context = { databases, placement: new Placement(databases), log } as unknown as JobContext
    const request = await trace.getTracer('test').startActiveSpan('request', async (span) => {
      await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        enqueueJob(tx, traced, { tenant_id: tenantId }),
      )
      span.end()
      return span.spanContext()
    })
    const pool = createPool({ url: config.databaseUrl, role: 'investor_token_worker', cell: 'main' }, config, log)
    const session = new QueueSession(pool, log)
    session.start()
    const queue = { name: 'test', concurrency: 1, jobs: [traced] }
    const worker = startWorker({ pool, session, database: 'main' }, queue, context)
    await until('the job has run', () => payloads.length > 0)
    await worker.stop()
    await session.stop()
    await pool.end()
    assert.deepEqual(payloads, [{ tenant_id: tenantId }])
    const span = exporter.getFinishedSpans().find(({ name }) => name === 'job traced')
    assert.equal(span?.links[0]?.context.traceId, request.traceId)
    assert.equal(span.links[0]?.context.spanId, request.spanId)
    assert.notEqual(span.spanContext().traceId, request.traceId)
    assert.deepEqual(span.attributes, { 'job.name': 'traced', 'job.queue': 'test', 'job.attempt': 1 })
  })
})

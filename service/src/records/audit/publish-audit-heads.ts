import { LoggableError } from '../../platform/base/log.ts'
import { counter, observedGauge } from '../../platform/base/metric.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import { type AuditHeadRow, selectAuditHeads, selectRewrittenChains } from './audit-head.sql.ts'

const pageSize = 1_000
/** Timeout for a receiver that does not respond. The next run publishes again. */
const postTimeoutMs = 10_000

/** Heads that this process has published, by database and tenant. Two installations may have cells of the same name. */
const publishedOf = new WeakMap<Databases, Map<string, Map<string, AuditHeadRow>>>()
const entriesIn = new Map<string, number>()

type PublishContext = Pick<LoopContext, 'databases' | 'cell' | 'pool' | 'log' | 'clock'> & {
  readonly auditHeadsUrl?: string | undefined
}

/**
 * Takes the end of each tenant's audit log out of the database: into the log, and to AUDIT_HEADS_URL. Someone who can
 * write to the database can rewrite a log together with its hashes, but then it no longer matches the published end.
 * The next run notices that, as does `POST /audit/verify` with a published end.
 */
export const publishAuditHeads = loop({
  name: 'publish-audit-heads',
  everyMs: 3_600_000,
  run: (context: LoopContext & PublishContext, beat) => publishHeads(context, beat),
})

export async function publishHeads(context: PublishContext, beat: () => void): Promise<void> {
  const { databases, cell, pool, log } = context
  const published = publishedOf.get(databases) ?? new Map<string, Map<string, AuditHeadRow>>()
  publishedOf.set(databases, published)
  const known = published.get(cell) ?? new Map<string, AuditHeadRow>()
  published.set(cell, known)
  rewritten.add(0, { cell })
  for (const tenantId of await selectRewrittenChains(pool, [...known.values()])) {
    const { sequence, hash } = known.get(tenantId) ?? {}
    log.error(
      { tenant_id: tenantId, audit_sequence: sequence, audit_hash: hash },
      'an audit log does not contain the end that was published',
    )
    rewritten.add(1, { cell })
    known.delete(tenantId)
  }
  let entries = 0
  for await (const page of pagesOf(context)) {
    beat()
    entries += page.reduce((sum, { sequence }) => sum + Number(sequence), 0)
    const changed = page.filter(({ tenantId, hash }) => known.get(tenantId)?.hash !== hash)
    await publish(context, changed)
    for (const head of changed) known.set(head.tenantId, head)
  }
  entriesIn.set(cell, entries)
}

async function* pagesOf({ pool }: PublishContext): AsyncGenerator<AuditHeadRow[]> {
  let after: string | undefined
  do {
    const page = await selectAuditHeads(pool, { after, limit: pageSize })
    yield page
    after = page.length === pageSize ? page.at(-1)?.tenantId : undefined
  } while (after)
}

async function publish({ cell, log, clock, auditHeadsUrl }: PublishContext, heads: AuditHeadRow[]): Promise<void> {
  for (const { tenantId, sequence, hash } of heads)
    log.info({ tenant_id: tenantId, audit_sequence: sequence, audit_hash: hash }, 'audit head')
  if (!auditHeadsUrl || heads.length === 0) return
  const body = heads.map(({ tenantId, sequence, hash }) => ({ tenant_id: tenantId, sequence: Number(sequence), hash }))
  const response = await fetch(auditHeadsUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ database: cell, at: clock().toISOString(), heads: body }),
    redirect: 'error',
    signal: AbortSignal.timeout(postTimeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new NotPublished(`the receiver of AUDIT_HEADS_URL responded with ${response.status}`)
}

class NotPublished extends LoggableError {
  override readonly name = 'NotPublished'
}

const rewritten = counter('audit_logs_rewritten', {
  description: 'Audit logs that do not contain the end that this process published an hour before',
  labels: ['cell'],
})

observedGauge('audit_entries', {
  description: 'Entries of the audit logs of all tenants, counted every hour. It never falls',
  labels: ['cell'],
  read: (observe) => {
    for (const [cell, entries] of entriesIn) observe(entries, { cell })
  },
})

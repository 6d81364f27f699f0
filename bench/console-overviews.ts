import { encodeCursor } from '../service/src/platform/api/declare/cursor.ts'
import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import type { Measurement } from './console-measurement.ts'
import type { ConsoleBook } from './console-rows.ts'

/** Measures the home page, the queues behind it, one payment with its suggestions, and the sums of an offering. */
export async function overviewMeasurements(
  installation: TestInstallation,
  { tenantId, offeringId }: ConsoleBook,
): Promise<Measurement[]> {
  const { rows } = await installation.owner((owner) =>
    owner.query<{ id: string; since: string; orderId: string }>(
      `select id, created_at::text as since,
              (select id from cell.token_order where tenant_id = $1 and status = 'PAID' limit 1) as "orderId"
       from cell.unassigned_payment where tenant_id = $1 and status = 'open' order by created_at desc, id desc
       limit 1 offset (select count(*) / 20 from cell.unassigned_payment where tenant_id = $1)`,
      [tenantId],
    ),
  )
  const [payment] = rows
  if (!payment) throw new Error('the payments were not loaded')
  const cursor = encodeCursor({ sort: 'since', direction: 'asc' }, { key: payment.since, id: payment.id })
  const work = (path: string, name = path): Measurement => ({ kind: 'work', name, path })
  const queues = ['approval_pending', 'order_to_accept', 'part_paid_due_soon', 'refund_due', 'refund_unsettled']
  const today = new Date().toISOString().slice(0, 10)
  const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10)
  return [
    work('/work'),
    ...queues.map((kind) => work(`/work/${kind}`)),
    { ...work('/work/unassigned_payment'), depth: 'first' },
    { ...work(`/work/unassigned_payment?cursor=${cursor}`, '/work/unassigned_payment'), depth: 'deep' },
    work(`/unassigned-payments/${payment.id}`, 'an unassigned payment with its suggestions'),
    work(`/orders/${payment.orderId}`, 'an order'),
    work(`/orders/${payment.orderId}/timeline`, 'the timeline of an order'),
    ...[
      ['/summary', '/summary'],
      ['the summary of an offering', `/offerings/${offeringId}/summary`],
      ['a year of an offering', `/offerings/${offeringId}/series?from=${yearAgo}&to=${today}`],
    ].map(([name = '', path = '']): Measurement => ({ kind: 'summary', name, path })),
  ]
}

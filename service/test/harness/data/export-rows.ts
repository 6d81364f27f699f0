import { insertExport } from '../../../src/disclosure/exports/export.sql.ts'
import type { ExportFilter, ExportFormat } from '../../../src/disclosure/exports/export-source.ts'
import type { ExportKind } from '../../../src/disclosure/exports/export-sources.ts'
import { writeExports } from '../../../src/disclosure/exports/write-exports.job.ts'
import { newRowId } from '../../../src/platform/base/ids.ts'
import { enqueueJob } from '../../../src/platform/jobs/enqueue.sql.ts'
import { TenantRows } from './tenant-rows.ts'

interface WantedExport {
  kind?: ExportKind
  filter?: ExportFilter
  format?: ExportFormat
  withPersonalData?: boolean
  createdBy?: string
}

/** Exports of a tenant without a worker, and many orders to export. */
export class ExportRows extends TenantRows {
  /** Returns the context for a job in this process. */
  context() {
    return this.direct.jobContext
  }

  /** Creates an export and writes it, by default of the orders. */
  async done(wanted: WantedExport = {}): Promise<string> {
    await this.expireAll()
    const id = await this.#insert(wanted)
    await this.write()
    return id
  }

  /** Requests an export for a worker to write. */
  async request(wanted: WantedExport = {}): Promise<string> {
    const id = await this.#insert(wanted)
    await this.direct.write((tx) => enqueueJob(tx, writeExports, { tenant_id: this.tenantId }))
    return id
  }

  async #insert(wanted: WantedExport): Promise<string> {
    const id = newRowId()
    const now = new Date()
    const { kind = 'orders', filter = {}, format = 'csv', withPersonalData = false } = wanted
    const { createdBy = crypto.randomUUID() } = wanted
    const expiresAt = new Date(now.getTime() + 86_400_000)
    await this.direct.write((tx) =>
      insertExport(tx, this.tenantId, {
        id,
        kind,
        filter,
        format,
        withPersonalData,
        createdBy,
        createdAt: now,
        expiresAt,
      }),
    )
    return id
  }

  /** Runs the job until nothing is left to write: each run is a slice of two seconds. */
  async write(): Promise<void> {
    do await writeExports.run({ tenant_id: this.tenantId }, this.context())
    while (await this.#isWriting())
  }

  async #isWriting(): Promise<boolean> {
    const text = `select from cell.export where tenant_id = $1 and state = 'running'`
    return (await this.installation.rows(text, [this.tenantId])).length > 0
  }

  /** Expires all exports, which makes room for more. */
  async expireAll(): Promise<Record<string, string>> {
    await this.installation.rows(`update cell.export set state = 'expired', finished_at = now() where tenant_id = $1`, [
      this.tenantId,
    ])
    return {}
  }

  /** Copies an order this many times, after it was copied `copied` times before. Returns the ids, in order. */
  async copyOrder(orderId: string, count: number, copied = 0): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newRowId()).toSorted()
    for (let first = 0; first < count; first += batchMax)
      await this.installation.rows(
        `insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position,
                                         units, price_per_token, total_amount, currency, payment_bank_account,
                                         payment_reference, payment_due_at)
           select tenant_id, copy.id, offering_id, account_id, 1000000 + $3 + copy.number,
                  1000000 + $3 + copy.number, units, price_per_token, total_amount, currency, payment_bank_account,
                  'C' || ($3 + copy.number), payment_due_at
           from cell.token_order, unnest($2::uuid[]) with ordinality as copy (id, number)
           where token_order.id = $1`,
        [orderId, ids.slice(first, first + batchMax), copied + first],
      )
    return ids
  }
}

const batchMax = 10_000

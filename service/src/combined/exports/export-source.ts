import type { Duty, LimitableDuty } from '../../platform/api/declare/duties.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import type { Cell } from './csv.ts'

export const filterNames = [
  'offering_id',
  'statuses',
  'from',
  'to',
  'block',
  'actor_id',
  'subject_id',
  'action',
] as const
export type FilterName = (typeof filterNames)[number]

/** The members of a request, and the block of a register once it is known. */
export interface ExportFilter {
  offering_id?: string
  statuses?: string[]
  from?: string
  to?: string
  block?: number
  actor_id?: string
  subject_id?: string
  action?: string
}

export interface ExportedRow {
  /** Where the next batch continues. */
  readonly key: string
  readonly cells: readonly Cell[]
}

export interface BatchRequest {
  readonly tenantId: string
  /** Rows that were created after the export are not in it. */
  readonly exportId: string
  readonly filter: ExportFilter
  readonly withPersonalData: boolean
  /** The key of the last row that was exported; null before the first. */
  readonly after: string | null
  readonly limit: number
}

/** What can be exported: its columns, and how the next rows are read. */
export interface ExportSource {
  /** Never one that can be limited to offerings. */
  readonly duty: Exclude<Duty, LimitableDuty>
  readonly columns: readonly string[]
  /** Only in exports with personal data, after the others. Empty if the source has none. */
  readonly personalColumns: readonly string[]
  readonly filters: readonly FilterName[]
  /** The possible values of the filter `statuses`. */
  readonly statuses?: readonly string[]
  /** Fewer rows than the limit: there are no more. */
  readonly nextRows: (request: BatchRequest, context: { tx: Transaction; vault: Vault }) => Promise<ExportedRow[]>
}

export const time = (at: Date | null): Cell => at?.toISOString() ?? null

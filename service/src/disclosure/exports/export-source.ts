import type { Duty, LimitableDuty } from '../../platform/api/declare/duties.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import type { Cell } from '../csv.ts'

export const filterNames = [
  'offering_id',
  'statuses',
  'from',
  'to',
  'block',
  'at',
  'account_id',
  'actor_id',
  'subject_id',
  'action',
] as const
export type FilterName = (typeof filterNames)[number]

/** Filters of the request, and the block of a register once it is known. */
export interface ExportFilter {
  offering_id?: string
  statuses?: string[]
  from?: string
  to?: string
  block?: number
  at?: string
  account_id?: string
  actor_id?: string
  subject_id?: string
  action?: string
}

export interface ExportedRow {
  /** Key at which the next batch continues. */
  readonly key: string
  readonly cells: readonly Cell[]
}

export const exportFormats = ['csv', 'json', 'pdf'] as const
export type ExportFormat = (typeof exportFormats)[number]

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

/** The next part of a file, for formats other than plain lines of CSV. */
export interface ExportedPart {
  /** The bytes of the file in the encoding of its format. */
  readonly text: string
  /** Position at which the next part continues. */
  readonly cursor: string | null
  readonly rows: number
  /** The units of these rows. */
  readonly units: bigint
  readonly isLast: boolean
}

export interface PartRequest extends BatchRequest {
  readonly format: ExportFormat
  /** Number of rows in the parts before this one. */
  readonly rowCount: number
  readonly createdAt: Date
}

/** A complete file, with the facts for the audit log. */
export interface FinishedFile extends PartRequest {
  readonly unitSum: bigint
  /** Hexadecimal. */
  readonly sha256: string
}

/** A kind of export: its columns, and how to read the next rows. */
export interface ExportSource {
  /** Never a duty that can be limited to offerings. */
  readonly duty: Exclude<Duty, LimitableDuty>
  readonly columns: readonly string[]
  /** Columns added, after the others, in exports with personal data. Empty if the source has none. */
  readonly personalColumns: readonly string[]
  readonly filters: readonly FilterName[]
  /** The possible values of the filter `statuses`. */
  readonly statuses?: readonly string[]
  /** Returns fewer rows than the limit if no more are left. */
  readonly nextRows: (request: BatchRequest, context: { tx: Transaction; vault: Vault }) => Promise<ExportedRow[]>
  /** Replaces `nextRows` for a source with several formats, whose files are hashed. */
  readonly parts?: {
    readonly formats: readonly ExportFormat[]
    readonly nextPart: (request: PartRequest, tx: Transaction) => Promise<ExportedPart>
    /** Throws if the file does not match the register. */
    readonly finish: (file: FinishedFile, tx: Transaction) => Promise<void>
  }
}

export const time = (at: Date | null): Cell => at?.toISOString() ?? null

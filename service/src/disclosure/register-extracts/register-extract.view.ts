import type { Static } from 'typebox'
import type { RegisterExtractSummary } from './register-extract.schema.ts'
import type { RegisterExtractRow } from './register-extract.sql.ts'

export function viewRegisterExtract(row: RegisterExtractRow): Static<typeof RegisterExtractSummary> {
  return {
    id: row.id,
    account_id: row.accountId,
    offering_id: row.offeringId,
    cause: row.cause,
    format: row.format,
    block: Number(row.blockNumber),
    block_hash: row.blockHash,
    units: row.units,
    sha256: row.sha256.toString('hex'),
    bytes: row.byteCount,
    created_at: row.createdAt.toISOString(),
  }
}

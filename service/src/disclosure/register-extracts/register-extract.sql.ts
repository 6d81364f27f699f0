import { allOf } from '../../platform/api/declare/keyset.sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../../sales/accounts/account.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import type { extractCauses } from './register-extract.schema.ts'
import type { ExtractFormat } from './render-extract.ts'

export interface RegisterExtractRow {
  id: string
  accountId: string
  offeringId: string
  cause: (typeof extractCauses)[number]
  format: ExtractFormat
  blockNumber: string
  blockHash: string | null
  units: string
  sha256: Buffer
  byteCount: number
  createdAt: Date
}

export type RegisterExtractKey = AccountKey & { extractId: string }

/** Binds the sealed file to its extract. */
export function extractContext(extractId: string): string {
  return `register extract ${extractId}`
}

const columns = sql`
  id, account_id as "accountId", offering_id as "offeringId", cause, format, block_number::text as "blockNumber",
  block_hash as "blockHash", units::text as units, sha256, byte_count as "byteCount", created_at as "createdAt"`

/** Returns false if the change already has its extract. */
export async function insertRegisterExtract(
  tx: Transaction,
  tenantId: string,
  row: RegisterExtractRow & { content: Buffer },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.register_extract (tenant_id, id, account_id, offering_id, cause, format, block_number, block_hash,
                                       units, sha256, byte_count, content, created_at)
    values (${tenantId}, ${row.id}, ${row.accountId}, ${row.offeringId}, ${row.cause}, ${row.format},
            ${row.blockNumber}::bigint, ${row.blockHash}, ${row.units}::numeric, ${row.sha256}, ${row.byteCount},
            ${row.content}, ${row.createdAt})
    on conflict (tenant_id, offering_id, account_id, block_number) where cause = 'change' do nothing
    returning id`)
  return inserted !== undefined
}

export function findRegisterExtract(tx: Transaction, { tenantId, accountId, extractId }: RegisterExtractKey) {
  return tx.row<RegisterExtractRow & { content: Buffer | null }>(sql`
    select ${columns}, content from cell.register_extract
    where tenant_id = ${tenantId} and account_id = ${accountId} and id = ${extractId}`)
}

/** Returns the extracts of an account, newest first, without their files. */
export function selectExtractsBefore(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
  { before, offeringId, limit }: { before: string | undefined; offeringId: string | undefined; limit: number },
): Promise<RegisterExtractRow[]> {
  const where = allOf([
    sql`tenant_id = ${tenantId} and account_id = ${accountId}`,
    offeringId === undefined ? undefined : sql`offering_id = ${offeringId}`,
    before === undefined ? undefined : sql`id < ${before}`,
  ])
  return tx.rows<RegisterExtractRow>(sql`
    select ${columns} from cell.register_extract where ${where} order by id desc limit ${limit}::bigint`)
}

/** Deletes the files of an account; the hashes stay. Returns how many there were. */
export async function eraseExtracts(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<number> {
  const erased = await tx.rows(sql`
    update cell.register_extract set content = null
    where tenant_id = ${tenantId} and account_id = ${accountId} and content is not null
    returning id`)
  return erased.length
}

export interface ExtractedOffering {
  format: ExtractFormat | null
  /** Changes up to this block have their extracts. */
  extractedTo: string
  finalized: string
  /** True if applied changes are still ahead of the finalized block that the indexer has recorded. */
  hasLater: boolean
}

/** Returns null as `format` if extracts are switched off. */
export function findExtractedOffering(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<ExtractedOffering>(sql`
    select offering.extract_format as format, coalesce(offering.extracted_to_block, 0)::text as "extractedTo",
           coalesce(least(chain_cursor.finalized_number, offering.token_read_to), 0)::text as finalized,
           exists (
             select from cell.token_log
             where token_log.tenant_id = offering.tenant_id and token_log.offering_id = offering.id
               and token_log.applied_at is not null
               and token_log.block_number > coalesce(least(chain_cursor.finalized_number, offering.token_read_to), 0)
           ) as "hasLater"
    from cell.offering left join cell.chain_cursor on chain_cursor.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
}

/** Never goes back: an operator may have switched the extracts off and on meanwhile. */
export async function setExtractedTo(tx: Transaction, { tenantId, offeringId }: OfferingKey, block: string) {
  await tx.rows(sql`
    update cell.offering set extracted_to_block = greatest(extracted_to_block, ${block}::bigint)
    where tenant_id = ${tenantId} and id = ${offeringId} and extract_format is not null`)
}

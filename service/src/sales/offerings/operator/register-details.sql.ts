import type { Static } from 'typebox'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../offering.sql.ts'
import type { RegisterDetails } from './operator-offering.schema.ts'

/** The columns have the names of the API. */
export type RegisterDetailsRow = Static<typeof RegisterDetails>

export const registerDetailsColumn = sql`
  jsonb_build_object(
    'isin', offering.isin, 'issuer_name', offering.issuer_name, 'issuer_lei', offering.issuer_lei,
    'nominal_amount', trim_scale(offering.nominal_amount)::text, 'nominal_currency', offering.nominal_currency,
    'extract_format', offering.extract_format)`

/** Sets the details. Once extracts are switched on, they cover changes after the finalized block of that moment. */
export async function setLockedRegisterDetails(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  details: RegisterDetailsRow,
): Promise<void> {
  await tx.rows(sql`
    update cell.offering
    set isin = ${details.isin}, issuer_name = ${details.issuer_name}, issuer_lei = ${details.issuer_lei},
        nominal_amount = ${details.nominal_amount}::numeric, nominal_currency = ${details.nominal_currency},
        extract_format = ${details.extract_format}::text,
        extracted_to_block = case
          when ${details.extract_format}::text is null then null
          when offering.extract_format is not null then offering.extracted_to_block
          else coalesce(
            least((select finalized_number from cell.chain_cursor where chain = offering.blockchain), token_read_to), 0)
        end
    where tenant_id = ${tenantId} and id = ${offeringId}`)
}

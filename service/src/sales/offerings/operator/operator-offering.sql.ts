import { allOf, type CreatedRange, countedPage, isCreatedWithin } from '../../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../../platform/api/declare/row-fingerprint.sql.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { type OfferingKey, type OfferingRow, offeringColumns } from '../offering.sql.ts'
import type { OfferingTerms } from './offering-terms.ts'
import type { offeringStatuses } from './operator-offering.schema.ts'
import { type RegisterDetailsRow, registerDetailsColumn } from './register-details.sql.ts'

export const offeringFingerprint = rowFingerprint(sql`cell.offering`)

/** Fingerprint of the terms of a sale only: orders change the rest of the row all the time. */
export const saleTermsFingerprint = rowFingerprint(
  sql`(select tenant_id, id, status, opens_at, closes_at, total_units, min_units, max_units from cell.offering)`,
)

/** Fingerprint of the details for extracts of the register, and of whether extracts are made. */
export const registerDetailsFingerprint = rowFingerprint(
  sql`(select tenant_id, id, isin, issuer_name, issuer_lei, nominal_amount, nominal_currency, extract_format
       from cell.offering)`,
)

export const lockUpFingerprint = rowFingerprint(sql`(select tenant_id, id, lock_up_until from cell.offering)`)

export type OfferingStatus = (typeof offeringStatuses)[number]

export interface OperatorOfferingRow extends Omit<OfferingRow, 'status'> {
  status: OfferingStatus
  names: OfferingTerms['names']
  collectionAccount: OfferingTerms['collection_account']
  approvalRequired: boolean
  acceptanceRequired: boolean
  paymentTermDays: number
  paymentTolerance: string
  reservedUnits: string
  issuedUnits: string
  softCapUnits: string | null
  softCapAmount: string | null
  fundedUnits: string
  fundedAmount: string
  softCapMetAt: Date | null
  refundAllAt: Date | null
  refundedAllAt: Date | null
  mintingStopped: string | null
  lockUpUntil: Date | null
  tokenEnforcesLockUp: boolean
  register: RegisterDetailsRow
  attachedTokenAddress: string | null
  tokenRejection: string | null
  /** Null if the offering has no token yet, or the attached one has no cap. */
  tokenCap: string | null
  createdAt: Date
  openedAt: Date | null
  closedAt: Date | null
}

const columns = sql`
  ${offeringColumns},
  (select coalesce(jsonb_object_agg(offering_name.language, offering_name.name), '{}') from cell.offering_name
   where offering_name.tenant_id = offering.tenant_id and offering_name.offering_id = offering.id) as names,
  offering.collection_account as "collectionAccount", offering.approval_required as "approvalRequired",
  offering.acceptance_required as "acceptanceRequired", offering.payment_term_days as "paymentTermDays",
  trim_scale(offering.payment_tolerance)::text as "paymentTolerance", offering.reserved_units::text as "reservedUnits",
  offering.issued_units::text as "issuedUnits", offering.minting_stopped as "mintingStopped",
  offering.lock_up_until as "lockUpUntil",
  offering.token_enforces_lock_up as "tokenEnforcesLockUp", ${registerDetailsColumn} as register,
  offering.attached_token_address as "attachedTokenAddress", offering.token_rejection as "tokenRejection",
  offering.token_cap::text as "tokenCap",
  offering.soft_cap_units::text as "softCapUnits", trim_scale(offering.soft_cap_amount)::text as "softCapAmount",
  offering.funded_units::text as "fundedUnits", trim_scale(offering.funded_amount)::text as "fundedAmount",
  offering.soft_cap_met_at as "softCapMetAt", offering.refund_all_at as "refundAllAt",
  offering.refunded_all_at as "refundedAllAt", offering.created_at as "createdAt",
  offering.opened_at as "openedAt", offering.closed_at as "closedAt"`

const offeringBy = ({ tenantId, offeringId }: OfferingKey): Sql => sql`
  select ${columns} from cell.offering where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`

export function findOffering(tx: Transaction, key: OfferingKey): Promise<OperatorOfferingRow | undefined> {
  return tx.row<OperatorOfferingRow>(offeringBy(key))
}

export function lockOffering(tx: Transaction, key: OfferingKey): Promise<OperatorOfferingRow | undefined> {
  return tx.row<OperatorOfferingRow>(sql`${offeringBy(key)} for no key update of offering`)
}

/** Locks the offering. Returns true once it is no longer a draft, so that changes to it may need a second person. */
export async function isNoLongerDraft(tx: Transaction, key: OfferingKey): Promise<boolean> {
  const offering = await lockOffering(tx, key)
  return offering !== undefined && offering.status !== 'DRAFT'
}

export interface OfferingFilter extends CreatedRange {
  status?: readonly string[] | undefined
}

/** Every condition of the filter except the status. */
function matching(tenantId: string, filter: OfferingFilter): Sql {
  return allOf([
    sql`offering.tenant_id = ${tenantId}`,
    isCreatedWithin(sql`offering.id`, sql`offering.created_at`, filter),
  ])
}

export function pageOfOfferings(tx: Transaction, tenantId: string, filter: OfferingFilter, page: KeysetPage) {
  return countedPage<OperatorOfferingRow>(tx, page, {
    columns,
    from: sql`cell.offering`,
    where: matching(tenantId, filter),
    id: sql`offering.id`,
    filter: { column: sql`offering.status`, values: filter.status },
  })
}

/** Inserts a draft without a position: only offerings that integrators see are numbered. */
export async function insertDraft(tx: Transaction, { tenantId, offeringId }: OfferingKey, terms: OfferingTerms) {
  await tx.rows(sql`
    insert into cell.offering (tenant_id, id, name, symbol, blockchain, tokenization_platform, decimals, type,
                               price_per_token, status, currency, logo, total_units, min_units, max_units, opens_at,
                               closes_at, payment_term_days, payment_tolerance, collection_account, approval_required,
                               acceptance_required, soft_cap_units, soft_cap_amount)
    values (${tenantId}, ${offeringId}, ${terms.name}, ${terms.symbol}, ${terms.blockchain},
            ${terms.tokenization_platform}, ${terms.decimals}, ${terms.type}, ${terms.price_per_token}, 'DRAFT',
            ${terms.currency}, ${terms.logo}, ${terms.total_units}, ${terms.min_units}, ${terms.max_units},
            ${terms.opens_at}, ${terms.closes_at}, ${terms.payment_term_days}, ${terms.payment_tolerance},
            ${jsonOrNull(terms.collection_account)}, ${terms.approval_required}, ${terms.acceptance_required},
            ${terms.soft_cap_units}, ${terms.soft_cap_amount})`)
  await insertNames(tx, { tenantId, offeringId }, terms.names)
}

export async function updateLockedDraft(tx: Transaction, { tenantId, offeringId }: OfferingKey, terms: OfferingTerms) {
  await tx.rows(sql`
    update cell.offering
    set name = ${terms.name}, symbol = ${terms.symbol}, blockchain = ${terms.blockchain},
        tokenization_platform = ${terms.tokenization_platform}, decimals = ${terms.decimals}, type = ${terms.type},
        price_per_token = ${terms.price_per_token}, currency = ${terms.currency}, logo = ${terms.logo},
        total_units = ${terms.total_units}, min_units = ${terms.min_units}, max_units = ${terms.max_units},
        opens_at = ${terms.opens_at}, closes_at = ${terms.closes_at}, payment_term_days = ${terms.payment_term_days},
        payment_tolerance = ${terms.payment_tolerance}, collection_account = ${jsonOrNull(terms.collection_account)},
        approval_required = ${terms.approval_required}, acceptance_required = ${terms.acceptance_required},
        soft_cap_units = ${terms.soft_cap_units}, soft_cap_amount = ${terms.soft_cap_amount},
        -- An attached token is checked again, because it was accepted for the old terms.
        token_rejection = null,
        token_address = case when attached_token_address is null then token_address end,
        token_deployed_at = case when attached_token_address is null then token_deployed_at end,
        token_cap = case when attached_token_address is null then token_cap end
    where tenant_id = ${tenantId} and id = ${offeringId}`)
  await tx.rows(sql`delete from cell.offering_name where tenant_id = ${tenantId} and offering_id = ${offeringId}`)
  await insertNames(tx, { tenantId, offeringId }, terms.names)
}

async function insertNames(tx: Transaction, { tenantId, offeringId }: OfferingKey, names: OfferingTerms['names']) {
  await tx.rows(sql`
    insert into cell.offering_name (tenant_id, offering_id, language, name)
    select ${tenantId}, ${offeringId}, key, value from jsonb_each_text(${JSON.stringify(names)})`)
}

/** Increments the tenant's counter and sets the position in one statement, to keep the lock on the counter short. */
export async function openLockedDraft(tx: Transaction, { tenantId, offeringId }: OfferingKey, openedAt: Date) {
  await tx.rows(sql`
    with counted as (
      update cell.tenant set offering_count = offering_count + 1 where id = ${tenantId}
      returning offering_count - 1 as position
    )
    update cell.offering set status = 'OPEN', position = counted.position, opened_at = ${openedAt}
    from counted
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
}

export function closeLockedOffering(tx: Transaction, key: OfferingKey, closedAt: Date): Promise<void> {
  return setOffering(tx, key, sql`status = 'CLOSED', closed_at = ${closedAt}`)
}

/** Pauses an open offering or resumes a paused one. */
export function setLockedOfferingStatus(tx: Transaction, key: OfferingKey, status: 'OPEN' | 'PAUSED'): Promise<void> {
  return setOffering(tx, key, sql`status = ${status}`)
}

export function setLockedOfferingLockUp(tx: Transaction, key: OfferingKey, lockUpUntil: Date | null): Promise<void> {
  return setOffering(tx, key, sql`lock_up_until = ${lockUpUntil}`)
}

/** Terms that two persons may change while an offering is on sale. */
export type SaleChange = Pick<OfferingTerms, 'closes_at' | 'total_units' | 'min_units' | 'max_units'>

export function updateLockedSaleTerms(tx: Transaction, key: OfferingKey, terms: SaleChange): Promise<void> {
  return setOffering(
    tx,
    key,
    sql`closes_at = ${terms.closes_at}, total_units = ${terms.total_units}, min_units = ${terms.min_units},
        max_units = ${terms.max_units}`,
  )
}

async function setOffering(tx: Transaction, { tenantId, offeringId }: OfferingKey, values: Sql): Promise<void> {
  await tx.rows(sql`update cell.offering set ${values} where tenant_id = ${tenantId} and id = ${offeringId}`)
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

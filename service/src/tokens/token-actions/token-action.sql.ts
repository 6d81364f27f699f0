import type { Static } from 'typebox'
import type { Address } from 'viem'
import type { ApiRow } from '../../platform/api/declare/api-row.ts'
import { allOf, countedPage, isEqual, isOneOf } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { NewTokenAction, TokenAction } from './token-action.schema.ts'

/** Version of the subject of a token action: the contract that is called, and its chain. */
export const tokenFingerprint = rowFingerprint(sql`(
  select offering.tenant_id, offering.id, offering.token_address, offering.token_deployed_at, offering.blockchain
  from cell.offering)`)

export interface TokenActionKey {
  tenantId: string
  actionId: string
}

type Times = 'proposed_at' | 'expires_at' | 'decided_at'
type CallerNames = 'proposed_by_name' | 'decided_by_name'

/** An approval of `proposeTokenAction` with its sealed request, and the resulting chain op. */
export type TokenActionRow = Omit<
  ApiRow<typeof TokenAction, Times>,
  keyof Static<typeof NewTokenAction> | CallerNames
> & { request: Buffer }

/** Returns the dedupe key of the chain op that executes an action, so that each approval has at most one op. */
export function dedupeKeyOf(actionId: string): string {
  return `${dedupePrefix}${actionId}`
}
const dedupePrefix = 'action:'

/** Builds a subquery of all actions of the tenant at this time. */
function actionsOf(tenantId: string, now: Date): Sql {
  return sql`(
    select approval.id, approval.subject_id as offering_id,
           (select offering.name from cell.offering
            where offering.tenant_id = approval.tenant_id and offering.id = approval.subject_id) as offering_name,
           approval.request, approval.proposed_by, approval.proposed_at, approval.expires_at, approval.decided_by,
           approval.decided_at, op.id as chain_op_id,
           case
             when approval.state = 'pending' and approval.expires_at <= ${now}::timestamptz then 'expired'
             when approval.state <> 'confirmed' then approval.state
             when op.state = 'FINAL' then 'executed'
             when op.state in ('REVERTED', 'CANCELLED', 'ALARM') then lower(op.state)
             else 'executing'
           end as state
    from base.approval
    left join cell.chain_op op
      on op.tenant_id = approval.tenant_id and op.dedupe_key = ${dedupePrefix}::text || approval.id
    where approval.tenant_id = ${tenantId} and approval.database = 'cell'
      and approval.operation = 'proposeTokenAction'
  ) action`
}

export function findTokenAction(tx: Transaction, { tenantId, actionId }: TokenActionKey, now: Date) {
  return tx.row<TokenActionRow>(sql`select * from ${actionsOf(tenantId, now)} where action.id = ${actionId}`)
}

export interface TokenActionFilter {
  state?: readonly string[] | undefined
  offering_id?: string | undefined
}

/** Counts the actions, and selects a page of them. */
export function selectTokenActions(
  tx: Transaction,
  tenantId: string,
  { state, offering_id }: TokenActionFilter,
  { page, now }: { page: KeysetPage; now: Date },
) {
  return countedPage<TokenActionRow>(tx, page, {
    columns: sql`action.*`,
    from: actionsOf(tenantId, now),
    where: allOf([sql`true`, isOneOf(sql`action.state`, state), isEqual(sql`action.offering_id`, offering_id)]),
    id: sql`action.id`,
    keys: { proposed_at: { column: sql`action.proposed_at`, type: 'timestamptz' } },
  })
}

/** An offering's token and the tenant's signer on its chain, as token actions need them. */
export interface OfferingToken {
  chain: string
  /** Null until it is deployed. */
  token: Address | null
  signer: Address | null
  /** The signer itself, or another account, which then grants the roles. */
  admin: Address | null
  desk: Address | null
}

/** Returns undefined if there is no such offering. */
export function findToken(tx: Transaction, { tenantId, offeringId }: { tenantId: string; offeringId: string }) {
  return tx.row<OfferingToken>(sql`
    select offering.blockchain as chain, signer.address as signer, signer.admin_address as admin,
           signer.desk_address as desk,
           case when offering.token_deployed_at is not null then offering.token_address end as token
    from cell.offering
    left join cell.chain_signer signer on signer.tenant_id = offering.tenant_id and signer.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
}

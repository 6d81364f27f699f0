import type { Address } from 'viem'
import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { TokenActionKind } from './token-action.ts'

export interface TokenActionKey {
  tenantId: string
  actionId: string
}

/** The members of an action that depend on its kind. */
export interface TokenActionDetails {
  wallet_address?: Address
  to_address?: Address
  units?: string
}

export interface TokenActionRow {
  id: string
  offeringId: string
  kind: TokenActionKind
  details: TokenActionDetails
  reason: string
  state: 'proposed' | 'confirmed' | 'rejected'
  proposedBy: string
  decidedBy: string | null
  decidedAt: Date | null
  opId: string | null
  createdAt: Date
  expiresAt: Date
}

const columns = sql`
  id, offering_id as "offeringId", kind, details, reason, state, proposed_by as "proposedBy",
  decided_by as "decidedBy", decided_at as "decidedAt", op_id as "opId", created_at as "createdAt",
  expires_at as "expiresAt"`

export async function insertTokenAction(
  tx: Transaction,
  tenantId: string,
  action: Pick<
    TokenActionRow,
    'id' | 'offeringId' | 'kind' | 'details' | 'reason' | 'proposedBy' | 'createdAt' | 'expiresAt'
  >,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.token_action (tenant_id, id, offering_id, kind, details, reason, proposed_by, created_at,
                                   expires_at)
    values (${tenantId}, ${action.id}, ${action.offeringId}, ${action.kind}, ${JSON.stringify(action.details)},
            ${action.reason}, ${action.proposedBy}, ${action.createdAt}, ${action.expiresAt})`)
}

export function findTokenAction(
  tx: Transaction,
  { tenantId, actionId }: TokenActionKey,
): Promise<TokenActionRow | undefined> {
  return tx.row<TokenActionRow>(sql`
    select ${columns} from cell.token_action where tenant_id = ${tenantId} and id = ${actionId}`)
}

/** Locks the action until the end of the transaction. */
export function lockTokenAction(
  tx: Transaction,
  { tenantId, actionId }: TokenActionKey,
): Promise<TokenActionRow | undefined> {
  return tx.row<TokenActionRow>(sql`
    select ${columns} from cell.token_action where tenant_id = ${tenantId} and id = ${actionId} for update`)
}

/** Compares and sets, although the caller has locked the row. */
export async function decideTokenAction(
  tx: Transaction,
  { tenantId, actionId }: TokenActionKey,
  decision: { state: 'confirmed' | 'rejected'; by: string; at: Date; opId: string | null },
): Promise<void> {
  const decided = await tx.row(sql`
    update cell.token_action
    set state = ${decision.state}, decided_by = ${decision.by}, decided_at = ${decision.at}, op_id = ${decision.opId}
    where tenant_id = ${tenantId} and id = ${actionId} and state = 'proposed'
    returning id`)
  if (!decided) throw new Error('a locked token action was decided by another transaction')
}

export interface TokenActionFilter {
  state?: string | undefined
  offering_id?: string | undefined
}

function matching(tenantId: string, { state, offering_id }: TokenActionFilter, now: Date): Sql {
  return sql`
    tenant_id = ${tenantId}
    and (${state ?? null}::text is null
         or case when state = 'proposed' and expires_at <= ${now}::timestamptz then 'expired' else state end
            = ${state ?? null})
    and (${offering_id ?? null}::uuid is null or offering_id = ${offering_id ?? null})`
}

export async function countTokenActions(
  tx: Transaction,
  tenantId: string,
  filter: TokenActionFilter,
  now: Date,
): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.token_action where ${matching(tenantId, filter, now)}`)
  return found?.count ?? 0
}

export function selectTokenActions(
  tx: Transaction,
  tenantId: string,
  filter: TokenActionFilter,
  { page, now }: { page: Page; now: Date },
): Promise<TokenActionRow[]> {
  return tx.rows<TokenActionRow>(sql`
    select ${columns} from cell.token_action where ${matching(tenantId, filter, now)} ${filteredCut(sql`id`, page)}`)
}

/** What token actions need to know of an offering's token and of the tenant's signer on its chain. */
export interface OfferingToken {
  chain: string
  /** Null until it is deployed. */
  token: Address | null
  signer: Address | null
  /** The signer itself, or another account, which then grants the roles. */
  admin: Address | null
  desk: Address | null
}

/** Undefined if there is no such offering. */
export function findToken(
  tx: Transaction,
  { tenantId, offeringId }: { tenantId: string; offeringId: string },
): Promise<OfferingToken | undefined> {
  return tx.row<OfferingToken>(sql`
    select offering.blockchain as chain, signer.address as signer, signer.admin_address as admin,
           signer.desk_address as desk,
           case when offering.token_deployed_at is not null then offering.token_address end as token
    from cell.offering
    left join cell.chain_signer signer on signer.tenant_id = offering.tenant_id and signer.chain = offering.blockchain
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
}

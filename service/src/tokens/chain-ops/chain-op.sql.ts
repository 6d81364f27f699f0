import type { Address, Hash, Hex } from 'viem'
import {
  allOf,
  boundedCount,
  type CreatedRange,
  isCreatedWithin,
  isEqual,
  isOneOf,
  keysetCut,
  pageCondition,
} from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import type { OfferingOf } from '../../platform/api/declare/offering-of.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Call } from '../chain/chain.ts'
import type { ChainOpKind, ChainOpState } from './chain-op.ts'

/** Excludes the columns that a worker updates on every check, such as the time of the next one. */
export const chainOpFingerprint = rowFingerprint(sql`(
  select tenant_id, id, kind, to_address, data, state, nonce, is_cancelling from cell.chain_op)`)

export interface ChainOpKey {
  tenantId: string
  opId: string
}

/** A contract call that the engine executes once; see advance-op.ts. */
export interface ChainOp {
  tenantId: string
  id: string
  chain: string
  kind: ChainOpKind
  dedupeKey: string
  to: Address
  data: Hex
  offeringId: string | null
  dependsOn: string | null
  state: ChainOpState
  nonce: number | null
  gas: bigint | null
  minedHash: Hash | null
  minedBlock: bigint | null
  minedBlockHash: Hash | null
  failure: string | null
  /** The op's nonce is to be consumed by an empty transaction, so that the call never happens. */
  isCancelling: boolean
  /** An operator requested a higher fee; the next check applies it. */
  isFeeIncreaseRequested: boolean
  createdAt: Date
  changedAt: Date
}

export const chainOpColumns: Sql = sql`
  tenant_id as "tenantId", id, chain, kind, dedupe_key as "dedupeKey", to_address as "to", data,
  offering_id as "offeringId", depends_on as "dependsOn", state, nonce::int8 as nonce, gas, mined_hash as "minedHash",
  mined_block as "minedBlock", mined_block_hash as "minedBlockHash", failure, is_cancelling as "isCancelling",
  is_bumping as "isFeeIncreaseRequested", created_at as "createdAt", changed_at as "changedAt"`

/** A row as the driver returns it: bigint columns are strings. */
export type RawChainOp = Omit<ChainOp, 'nonce' | 'gas' | 'minedBlock'> & {
  nonce: string | null
  gas: string | null
  minedBlock: string | null
}

export function parseChainOp({ nonce, gas, minedBlock, ...rest }: RawChainOp): ChainOp {
  return {
    ...rest,
    nonce: nonce === null ? null : Number(nonce),
    gas: gas === null ? null : BigInt(gas),
    minedBlock: minedBlock === null ? null : BigInt(minedBlock),
  }
}

export interface NewChainOp extends Pick<ChainOp, 'tenantId' | 'chain' | 'kind' | 'dedupeKey'> {
  call: Call
  offeringId?: string | null
  /** The op of the same signer that must happen before this one; see dependency.ts. */
  dependsOn?: string | null
}

/** Enqueues a chain op. Returns the existing op's id if the dedupe key is already taken. */
export async function enqueueChainOp(tx: Transaction, op: NewChainOp): Promise<string> {
  const id = newRowId()
  const found = await tx.row<{ id: string }>(sql`
    with inserted as (
      insert into cell.chain_op (tenant_id, id, chain, kind, dedupe_key, to_address, data, offering_id, depends_on)
      values (${op.tenantId}, ${id}, ${op.chain}, ${op.kind}, ${op.dedupeKey}, ${op.call.to}, ${op.call.data},
              ${op.offeringId ?? null}, ${op.dependsOn ?? null})
      on conflict (tenant_id, dedupe_key) do nothing
      returning id
    )
    select id from inserted
    union all
    select id from cell.chain_op where tenant_id = ${op.tenantId} and dedupe_key = ${op.dedupeKey}
    limit 1`)
  if (!found) throw new Error('a chain op was neither inserted nor found')
  return found.id
}

export async function findChainOp(tx: Transaction, { tenantId, opId }: ChainOpKey): Promise<ChainOp | undefined> {
  const row = await tx.row<RawChainOp>(sql`
    select ${chainOpColumns} from cell.chain_op where tenant_id = ${tenantId} and id = ${opId}`)
  return row && parseChainOp(row)
}

/** Finds the offering of the chain op in the path; null for an op that concerns all offerings, such as DEPLOY_DESK. */
export const offeringOfChainOp: OfferingOf = async ({ opId = '' }, { tenantId, tx }) =>
  (await findChainOp(tx, { tenantId, opId }))?.offeringId ?? null

export async function lockChainOp(tx: Transaction, { tenantId, opId }: ChainOpKey): Promise<ChainOp | undefined> {
  const row = await tx.row<RawChainOp>(sql`
    select ${chainOpColumns} from cell.chain_op where tenant_id = ${tenantId} and id = ${opId} for update`)
  return row && parseChainOp(row)
}

/** Records what an operator requested of an op and makes it due now. `check` only makes it due. */
export async function recordOperatorRequest(
  tx: Transaction,
  { tenantId, id }: ChainOp,
  request: 'bump' | 'cancel' | 'check',
  now: Date,
): Promise<void> {
  const change: Record<typeof request, Sql> = {
    bump: sql`is_bumping = true,`,
    cancel: sql`is_cancelling = true,`,
    check: sql``,
  }
  await tx.rows(sql`
    update cell.chain_op set ${change[request]} next_check_at = least(next_check_at, ${now})
    where tenant_id = ${tenantId} and id = ${id}`)
}

export interface ChainOpFilter extends CreatedRange {
  state?: readonly string[] | undefined
  kind?: string | undefined
  offering_id?: string | undefined
}

/** Counts the chain ops, and selects a page of them. */
export async function selectChainOps(tx: Transaction, tenantId: string, filter: ChainOpFilter, page: KeysetPage) {
  const [id, from, column] = [sql`chain_op.id`, sql`cell.chain_op`, sql`chain_op.state`]
  const others = allOf([
    sql`chain_op.tenant_id = ${tenantId}`,
    isEqual(sql`chain_op.kind`, filter.kind),
    isEqual(sql`chain_op.offering_id`, filter.offering_id),
    isCreatedWithin(id, sql`chain_op.created_at`, filter),
  ])
  const cut = keysetCut(id, page)
  const where = pageCondition(others, { id, from, column, values: filter.state, cut })
  const [count, rows] = await tx.batch(
    (tx) => boundedCount(tx, sql`from ${from} where ${allOf([others, isOneOf(column, filter.state)])}`),
    (tx) =>
      tx.rows<RawChainOp & KeysetRow>(sql`
      select ${chainOpColumns}, ${cut.column} from ${from} where ${where} ${cut.orderBy}`),
  )
  return { count, ops: rows.map((row) => ({ ...row, ...parseChainOp(row) })) }
}

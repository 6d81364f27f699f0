import type { Address, Hash, Hex } from 'viem'
import { newRowId } from '../../platform/base/ids.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Call } from '../chain/chain.ts'
import type { chainOpKinds, chainOpStates } from './chain-op.ts'

export type ChainOpKind = (typeof chainOpKinds)[number]
export type ChainOpState = (typeof chainOpStates)[number]

export interface ChainOpKey {
  tenantId: string
  opId: string
}

/** What is known of a wish to the chain. */
export interface ChainOp {
  tenantId: string
  id: string
  chain: string
  kind: ChainOpKind
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
  isCancelling: boolean
  /** A person wants its fee raised at the next look. */
  isBumping: boolean
}

export interface NewChainOp {
  tenantId: string
  chain: string
  kind: ChainOpKind
  /** The same wish twice is one. */
  dedupeKey: string
  call: Call
  offeringId?: string | null
  dependsOn?: string | null
}

/** Asks for something on the chain, once: tells the id of the wish that is there, new or not. */
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
  if (!found) throw new Error('a wish to the chain is neither new nor known')
  return found.id
}

import type { Address } from 'viem'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { KeyPlace } from './signers.ts'

export interface SignerKey {
  tenantId: string
  chain: string
}

/** What signs for a tenant on a chain, and the number that its next transaction gets. */
export interface ChainSigner extends KeyPlace {
  readonly deskAddress: Address
  readonly nextNonce: number
}

/** False where the tenant has a signer on this chain already. */
export async function insertSigner(
  tx: Transaction,
  { tenantId, chain }: SignerKey,
  signer: Omit<ChainSigner, 'chain' | 'nextNonce'>,
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.chain_signer (tenant_id, chain, address, kind, sealed_key, key_label, desk_address)
    values (${tenantId}, ${chain}, ${signer.address}, ${signer.kind}, ${signer.sealedKey}, ${signer.keyLabel},
            ${signer.deskAddress})
    on conflict (tenant_id, chain) do nothing
    returning chain`)
  return inserted !== undefined
}

export function findSigner(tx: Transaction, key: SignerKey): Promise<ChainSigner | undefined> {
  return oneSigner(tx, ofSigner(key))
}

/** Whoever holds it gives out numbers; everybody else waits. */
export function lockSigner(tx: Transaction, key: SignerKey): Promise<ChainSigner | undefined> {
  return oneSigner(tx, sql`${ofSigner(key)} for update`)
}

/** The next number of the lane, taken for ever. It commits with whatever it was taken for. */
export async function takeNonce(tx: Transaction, { tenantId, chain }: SignerKey): Promise<number> {
  const taken = await tx.row<{ nonce: string }>(sql`
    update cell.chain_signer set next_nonce = next_nonce + 1
    where tenant_id = ${tenantId} and chain = ${chain}
    returning next_nonce - 1 as nonce`)
  if (!taken) throw new Error('a number was wanted of a signer that is not there')
  return Number(taken.nonce)
}

/** Never back: a number that was given may be on its way. Tells the next one. */
export async function raiseNonce(tx: Transaction, { tenantId, chain }: SignerKey, atLeast: number): Promise<number> {
  const raised = await tx.row<{ nonce: string }>(sql`
    update cell.chain_signer set next_nonce = greatest(next_nonce, ${atLeast}::bigint)
    where tenant_id = ${tenantId} and chain = ${chain}
    returning next_nonce as nonce`)
  if (!raised) throw new Error('a number was wanted of a signer that is not there')
  return Number(raised.nonce)
}

function ofSigner({ tenantId, chain }: SignerKey): Sql {
  return sql`
    select chain, address, kind, sealed_key as "sealedKey", key_label as "keyLabel", desk_address as "deskAddress",
           next_nonce as "nextNonce"
    from cell.chain_signer where tenant_id = ${tenantId} and chain = ${chain}`
}

async function oneSigner(tx: Transaction, statement: Sql): Promise<ChainSigner | undefined> {
  const found = await tx.row<Omit<ChainSigner, 'nextNonce'> & { nextNonce: string }>(statement)
  return found && { ...found, nextNonce: Number(found.nextNonce) }
}

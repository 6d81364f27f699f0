import type { Address } from 'viem'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { SignerKey, StoredKey } from './key-backend.ts'

/** The key that signs for a tenant on a chain, its mint desk, and the nonce of its next transaction. */
export interface ChainSigner extends StoredKey {
  readonly deskAddress: Address
  /** The admin of the desk and of new tokens: the signer itself, or for example a multisig. */
  readonly adminAddress: Address
  readonly nextNonce: number
}

/** Returns false if the tenant already has a signer on this chain. */
export async function insertSigner(tx: Transaction, signer: Omit<ChainSigner, 'nextNonce'>): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.chain_signer (tenant_id, chain, address, key_backend, key_data, desk_address,
                                   admin_address)
    values (${signer.tenantId}, ${signer.chain}, ${signer.address}, ${signer.keyBackend}, ${signer.keyData},
            ${signer.deskAddress}, ${signer.adminAddress})
    on conflict (tenant_id, chain) do nothing
    returning chain`)
  return inserted !== undefined
}

export function findSigner(tx: Transaction, key: SignerKey): Promise<ChainSigner | undefined> {
  return readSigner(tx, selectSigner(key))
}

/** Locks the signer until the end of the transaction; nonce allocation by other processes waits. */
export function lockSigner(tx: Transaction, key: SignerKey): Promise<ChainSigner | undefined> {
  return readSigner(tx, sql`${selectSigner(key)} for update`)
}

/** Allocates the signer's next nonce. Never reused; commits with the caller's transaction. */
export async function allocateNonce(tx: Transaction, { tenantId, chain }: SignerKey): Promise<number> {
  const allocated = await tx.row<{ nonce: string }>(sql`
    update cell.chain_signer set next_nonce = next_nonce + 1
    where tenant_id = ${tenantId} and chain = ${chain}
    returning next_nonce - 1 as nonce`)
  if (!allocated) throw new Error('no signer to allocate a nonce of')
  return Number(allocated.nonce)
}

/** Raises the next nonce to at least this one and returns it. Never lowers it: an allocated nonce may be in flight. */
export async function raiseNonce(tx: Transaction, { tenantId, chain }: SignerKey, atLeast: number): Promise<number> {
  const raised = await tx.row<{ nonce: string }>(sql`
    update cell.chain_signer set next_nonce = greatest(next_nonce, ${atLeast}::bigint)
    where tenant_id = ${tenantId} and chain = ${chain}
    returning next_nonce as nonce`)
  if (!raised) throw new Error('no signer to raise the nonce of')
  return Number(raised.nonce)
}

function selectSigner({ tenantId, chain }: SignerKey): Sql {
  return sql`
    select tenant_id as "tenantId", chain, address, key_backend as "keyBackend", key_data as "keyData",
           desk_address as "deskAddress", admin_address as "adminAddress", next_nonce as "nextNonce"
    from cell.chain_signer where tenant_id = ${tenantId} and chain = ${chain}`
}

async function readSigner(tx: Transaction, statement: Sql): Promise<ChainSigner | undefined> {
  const found = await tx.row<Omit<ChainSigner, 'nextNonce'> & { nextNonce: string }>(statement)
  return found && { ...found, nextNonce: Number(found.nextNonce) }
}

import type { Address } from 'viem'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../../sales/accounts/account.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import type { ChainOpState } from '../chain-ops/chain-op.ts'

/** A row of cell.token_holder: a wallet on the allow-list of a token, or one that was or will be. */
export interface Registration {
  offeringId: string
  walletId: string
  accountId: string
  /** Registration on the chain after this wallet's last FINAL registration op. */
  isRegistered: boolean
  /** The op that changes the registration, or that failed to; null if there is none. */
  opId: string | null
}

export type RegistrationKey = Pick<Registration, 'offeringId' | 'walletId'>

/** Records that an op registers these wallets with the token; they become registered when it is FINAL. */
export async function insertRegistrations(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  opId: string,
  wallets: readonly Pick<Registration, 'walletId' | 'accountId'>[],
): Promise<void> {
  await tx.rows(sql`
    insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id, op_id)
    select ${tenantId}, ${offeringId}, wallet_id, account_id, ${opId}
    from unnest(${wallets.map(({ walletId }) => walletId)}::uuid[],
                ${wallets.map(({ accountId }) => accountId)}::uuid[])
      as added (wallet_id, account_id)
    on conflict do nothing`)
}

/** Adds a wallet without an op; correctRegistrations registers it. Has no effect if it exists. */
export async function insertRegistration(
  tx: Transaction,
  tenantId: string,
  { offeringId, walletId, accountId }: RegistrationKey & Pick<Registration, 'accountId'>,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.token_holder (tenant_id, offering_id, wallet_id, account_id)
    values (${tenantId}, ${offeringId}, ${walletId}, ${accountId})
    on conflict do nothing`)
}

/** Locks one row; see lockRegistrationsOfAccount. */
export async function lockRegistration(tx: Transaction, tenantId: string, { offeringId, walletId }: RegistrationKey) {
  await tx.rows(sql`
    select from cell.token_holder
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and wallet_id = ${walletId}
    for no key update`)
}

/**
 * Locks the registrations of an account until the end of the transaction. Lock them before reading whether they are
 * permitted: another transaction that held the lock may have read that before it changed.
 */
export function lockRegistrationsOfAccount(tx: Transaction, { tenantId, accountId }: AccountKey) {
  return tx.rows<RegistrationKey>(sql`
    select offering_id as "offeringId", wallet_id as "walletId" from cell.token_holder
    where tenant_id = ${tenantId} and account_id = ${accountId}
    order by offering_id, wallet_id
    for no key update`)
}

/** Locks the rows that an op registers or unregisters; see lockRegistrationsOfAccount. */
export function lockRegistrationsOfOp(tx: Transaction, { tenantId, id }: ChainOp): Promise<RegistrationKey[]> {
  return tx.rows<RegistrationKey>(sql`
    select offering_id as "offeringId", wallet_id as "walletId" from cell.token_holder
    where tenant_id = ${tenantId} and op_id = ${id}
    order by offering_id, wallet_id
    for no key update`)
}

/** A registration, the facts that decide whether it should exist, and the contracts that make it. */
export interface RegistrationWithWallet extends Registration {
  address: Address
  /** True if the wallet is active and its account approved, so that it should be registered. */
  isPermitted: boolean
  opState: ChainOpState | null
  chain: string
  tokenAddress: Address
  deskAddress: Address
}

export function selectRegistrations(tx: Transaction, tenantId: string, keys: readonly RegistrationKey[]) {
  return tx.rows<RegistrationWithWallet>(sql`
    select holder.offering_id as "offeringId", holder.wallet_id as "walletId", holder.account_id as "accountId",
           holder.is_registered as "isRegistered", holder.op_id as "opId", op.state as "opState",
           wallet.public_address as address, offering.blockchain as chain, offering.token_address as "tokenAddress",
           signer.desk_address as "deskAddress",
           wallet.status = 'ACTIVE'
             and case account.type when 'COMPANY' then account.kyb_status else account.kyc_status end = 'APPROVED'
             as "isPermitted"
    from unnest(${keys.map(({ offeringId }) => offeringId)}::uuid[], ${keys.map(({ walletId }) => walletId)}::uuid[])
      as given (offering_id, wallet_id)
    join cell.token_holder holder
      on holder.tenant_id = ${tenantId} and holder.offering_id = given.offering_id
      and holder.wallet_id = given.wallet_id
    join cell.wallet on wallet.tenant_id = ${tenantId} and wallet.id = holder.wallet_id
    join cell.account on account.tenant_id = ${tenantId} and account.id = holder.account_id
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = holder.offering_id
    join cell.chain_signer signer on signer.tenant_id = ${tenantId} and signer.chain = offering.blockchain
    left join cell.chain_op op on op.tenant_id = ${tenantId} and op.id = holder.op_id
    order by holder.offering_id, holder.wallet_id`)
}

/** Sets or clears the op of a row that the caller has locked. */
export async function setRegistrationOp(
  tx: Transaction,
  tenantId: string,
  { offeringId, walletId }: RegistrationKey,
  opId: string | null,
): Promise<void> {
  await tx.rows(sql`
    update cell.token_holder set op_id = ${opId}
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and wallet_id = ${walletId}`)
}

/** Stores the result of a FINAL op: its wallets have this registration on the chain, and no op. */
export async function endRegistration(tx: Transaction, { tenantId, id }: ChainOp, isRegistered: boolean) {
  await tx.rows(sql`
    update cell.token_holder set is_registered = ${isRegistered}, op_id = null
    where tenant_id = ${tenantId} and op_id = ${id}`)
}

/** Makes the wallets of an op wait for another op instead, and returns their number. */
export async function reassignRegistrations(
  tx: Transaction,
  { tenantId, id }: ChainOp,
  newOpId: string,
): Promise<number> {
  const rows = await tx.rows(sql`
    update cell.token_holder set op_id = ${newOpId} where tenant_id = ${tenantId} and op_id = ${id}
    returning wallet_id`)
  return rows.length
}

import { keysetCut } from '../../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { indexTerms, type SubjectTerms } from '../../../records/search/search-term.sql.ts'
import { wholeTerm } from '../../../records/search/search-terms.ts'
import type { AccountKey } from '../../accounts/account.sql.ts'
import type { WalletKey, WalletRow } from '../wallet.sql.ts'

const columns = sql`
  wallet.id, wallet.account_id as "accountId", wallet.public_address as "publicAddress", wallet.blockchain, wallet.name,
  wallet.provider, wallet.type, wallet.status, wallet.challenge_nonce as "challengeNonce",
  wallet.challenge_expires_at as "challengeExpiresAt", wallet.proven_at as "provenAt", wallet.created_at as "createdAt"`

/** Returns undefined if the tenant already has this address; the caller must then roll back. The account must exist. */
export async function insertWallet(
  tx: Transaction,
  tenantId: string,
  wallet: Omit<WalletRow, 'createdAt'>,
): Promise<WalletRow | undefined> {
  const [inserted] = await tx.batch(
    (tx) =>
      tx.row<WalletRow>(sql`
    with counted as (
      update cell.account set wallet_count = wallet_count + 1
      where tenant_id = ${tenantId} and id = ${wallet.accountId}
      returning wallet_count - 1 as position
    )
    insert into cell.wallet (tenant_id, id, account_id, position, public_address, blockchain, name, provider, type,
                             status, challenge_nonce, challenge_expires_at)
    select ${tenantId}, ${wallet.id}, ${wallet.accountId}, position, ${wallet.publicAddress}, ${wallet.blockchain},
           ${wallet.name}, ${wallet.provider}, ${wallet.type}, ${wallet.status}, ${wallet.challengeNonce},
           ${wallet.challengeExpiresAt}
    from counted
    on conflict (tenant_id, blockchain, lower(public_address)) do nothing
    returning ${columns}`),
    (tx) => indexTerms(tx, tenantId, [walletTerms(wallet)]),
  )
  return inserted
}

export function walletTerms({ id, publicAddress }: Pick<WalletRow, 'id' | 'publicAddress'>): SubjectTerms {
  return { kind: 'wallet', subjectId: id, terms: wholeTerm(publicAddress) }
}

const walletBy = ({ tenantId, accountId, walletId }: WalletKey): Sql => sql`
  select ${columns} from cell.wallet where tenant_id = ${tenantId} and account_id = ${accountId} and id = ${walletId}`

export function findOperatorWallet(tx: Transaction, key: WalletKey): Promise<WalletRow | undefined> {
  return tx.row<WalletRow>(walletBy(key))
}

/** Locks the wallet until the transaction ends. */
export function lockWallet(tx: Transaction, key: WalletKey): Promise<WalletRow | undefined> {
  return tx.row<WalletRow>(sql`${walletBy(key)} for no key update`)
}

export async function updateLockedWallet(tx: Transaction, tenantId: string, wallet: WalletRow): Promise<void> {
  await tx.rows(sql`
    update cell.wallet
    set status = ${wallet.status}, challenge_nonce = ${wallet.challengeNonce},
        challenge_expires_at = ${wallet.challengeExpiresAt}, proven_at = ${wallet.provenAt}
    where tenant_id = ${tenantId} and id = ${wallet.id}`)
}

export function selectOperatorWallets(
  tx: Transaction,
  { tenantId, accountId }: AccountKey,
  page: KeysetPage,
): Promise<(WalletRow & KeysetRow)[]> {
  const cut = keysetCut(sql`wallet.position`, page, {}, 'bigint')
  return tx.rows(sql`
    select ${columns}, ${cut.column} from cell.wallet
    where wallet.tenant_id = ${tenantId} and wallet.account_id = ${accountId} and ${cut.where} ${cut.orderBy}`)
}

import { sql } from '../platform/postgres/sql.ts'
import type { FoundSubject, SearchKind } from '../records/search/search-kind.ts'
import { type AccountRow, accountColumns } from './accounts/account.sql.ts'
import { accountTerms } from './accounts/account-terms.ts'
import { joinAccount, orderTerms } from './orders/order.sql.ts'
import { refundTerms } from './refunds/refund.sql.ts'
import { walletTerms } from './wallets/operator/operator-wallet.sql.ts'

const account: SearchKind = {
  kind: 'account',
  hasBlindTerms: true,
  find: (tx, tenantId, ids) =>
    tx.rows<FoundSubject>(sql`
      select account.id, account.full_name as name, account.email as detail, account.id as "accountId",
             null::uuid as "orderId"
      from cell.account where account.tenant_id = ${tenantId} and account.id = any (${ids}::uuid[])`),
  termsAfter: async ({ tx, tenantId, vault }, after, limit) => {
    const rows = await tx.rows<AccountRow>(sql`
      select ${accountColumns} from cell.account
      where account.tenant_id = ${tenantId} and account.id > ${after}::uuid
      order by account.id limit ${limit}::bigint for share`)
    return Promise.all(rows.map((row) => accountTerms(row, vault)))
  },
}

const order: SearchKind = {
  kind: 'order',
  hasBlindTerms: false,
  find: (tx, tenantId, ids) =>
    tx.rows<FoundSubject>(sql`
      select token_order.id, token_order.payment_reference as name,
             concat_ws(' ', account.full_name, token_order.status) as detail, token_order.account_id as "accountId",
             token_order.id as "orderId"
      from cell.token_order ${joinAccount}
      where token_order.tenant_id = ${tenantId} and token_order.id = any (${ids}::uuid[])`),
  termsAfter: async ({ tx, tenantId }, after, limit) => {
    const rows = await tx.rows<{ id: string; paymentReference: string }>(sql`
      select id, payment_reference as "paymentReference" from cell.token_order
      where tenant_id = ${tenantId} and id > ${after}::uuid order by id limit ${limit}::bigint`)
    return rows.map(orderTerms)
  },
}

const wallet: SearchKind = {
  kind: 'wallet',
  hasBlindTerms: false,
  find: (tx, tenantId, ids) =>
    tx.rows<FoundSubject>(sql`
      select wallet.id, wallet.public_address as name, concat_ws(' ', account.full_name, wallet.status) as detail,
             wallet.account_id as "accountId", null::uuid as "orderId"
      from cell.wallet
      join cell.account on account.tenant_id = wallet.tenant_id and account.id = wallet.account_id
      where wallet.tenant_id = ${tenantId} and wallet.id = any (${ids}::uuid[])`),
  termsAfter: async ({ tx, tenantId }, after, limit) => {
    const rows = await tx.rows<{ id: string; publicAddress: string }>(sql`
      select id, public_address as "publicAddress" from cell.wallet
      where tenant_id = ${tenantId} and id > ${after}::uuid order by id limit ${limit}::bigint`)
    return rows.map(walletTerms)
  },
}

const refund: SearchKind = {
  kind: 'refund',
  hasBlindTerms: false,
  find: (tx, tenantId, ids) =>
    tx.rows<FoundSubject>(sql`
      select refund.id, coalesce(refund.reference, refund.id::text) as name,
             concat_ws(' ', refund.amount::text, refund.currency, refund.status) as detail, null::uuid as "accountId",
             refund.order_id as "orderId"
      from cell.refund where refund.tenant_id = ${tenantId} and refund.id = any (${ids}::uuid[])`),
  termsAfter: async ({ tx, tenantId }, after, limit) => {
    const rows = await tx.rows<{ id: string; reference: string | null }>(sql`
      select id, reference from cell.refund
      where tenant_id = ${tenantId} and id > ${after}::uuid order by id limit ${limit}::bigint for share`)
    return rows.map(refundTerms)
  },
}

/** Subjects that operators search in the room sales. */
export const salesSearch: readonly SearchKind[] = [account, order, wallet, refund]

import { sql } from '../platform/postgres/sql.ts'
import { openedOrUndefined } from '../platform/postgres/vault.ts'
import type { FoundSubject, SearchKind } from '../records/search/search-kind.ts'
import { ibanTerm, wholeTerm } from '../records/search/search-terms.ts'
import { openPayerAccount } from './payments/payment-payer.ts'
import { paymentTerms } from './payments/receive-payment.ts'
import { openPayer } from './payments/unassigned-payment.view.ts'

const payment: SearchKind = {
  kind: 'payment',
  hasBlindTerms: true,
  find: (tx, tenantId, ids) =>
    tx.rows<FoundSubject>(sql`
      select payment.id, payment.provider_reference as name,
             concat_ws(' ', payment.amount::text, payment.currency, payment.provider) as detail,
             null::uuid as "accountId", payment.order_id as "orderId"
      from cell.payment where payment.tenant_id = ${tenantId} and payment.id = any (${ids}::uuid[])`),
  termsAfter: async ({ tx, tenantId, vault }, after, limit) => {
    const rows = await tx.rows<{ id: string; providerReference: string; payer: Buffer | null }>(sql`
      select id, provider_reference as "providerReference", payer from cell.payment
      where tenant_id = ${tenantId} and id > ${after}::uuid order by id limit ${limit}::bigint`)
    return Promise.all(
      rows.map(async (row) => {
        const payer =
          row.payer && (await openedOrUndefined(openPayerAccount(vault, { paymentId: row.id, box: row.payer })))
        return paymentTerms(row, await ibanTerm(vault, payer?.iban))
      }),
    )
  },
}

const unassignedPayment: SearchKind = {
  kind: 'unassigned_payment',
  hasBlindTerms: true,
  find: (tx, tenantId, ids) =>
    tx.rows<FoundSubject>(sql`
      select unassigned_payment.id, unassigned_payment.provider_reference as name,
             concat_ws(' ', unassigned_payment.amount::text, unassigned_payment.currency, unassigned_payment.status)
               as detail,
             null::uuid as "accountId", unassigned_payment.order_id as "orderId"
      from cell.unassigned_payment
      where unassigned_payment.tenant_id = ${tenantId} and unassigned_payment.id = any (${ids}::uuid[])`),
  termsAfter: async ({ tx, tenantId, vault }, after, limit) => {
    const rows = await tx.rows<{ id: string; providerReference: string; payer: Buffer }>(sql`
      select id, provider_reference as "providerReference", payer from cell.unassigned_payment
      where tenant_id = ${tenantId} and id > ${after}::uuid order by id limit ${limit}::bigint`)
    return Promise.all(
      rows.map(async (row) => {
        const payer = await openedOrUndefined(openPayer(vault, row))
        const terms = [...wholeTerm(row.providerReference), ...(await ibanTerm(vault, payer?.iban))]
        return { kind: 'unassigned_payment', subjectId: row.id, terms }
      }),
    )
  },
}

/** Records of the room money that operators can search. */
export const moneySearch: readonly SearchKind[] = [payment, unassignedPayment]

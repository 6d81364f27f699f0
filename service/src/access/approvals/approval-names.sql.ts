import { type Sql, sql } from '../../platform/postgres/sql.ts'

/** Names to show instead of the ids of an approval's subject and offering. Null if they have no name. */
export interface ApprovalNamesRow {
  subjectName: string | null
  offeringName: string | null
}

/**
 * Names of approvals in a cell. Subqueries and not joins: each approval has one subject, so only one of them runs per
 * row, and the page stays one scan.
 */
const cellNames: Sql = sql`
  case approval.subject_type
    when 'account' then (
      select account.full_name from cell.account
      where account.tenant_id = approval.tenant_id and account.id = approval.subject_id)
    when 'offering' then (
      select offering.name from cell.offering
      where offering.tenant_id = approval.tenant_id and offering.id = approval.subject_id)
    when 'order' then (
      select token_order.payment_reference from cell.token_order
      where token_order.tenant_id = approval.tenant_id and token_order.id = approval.subject_id)
    when 'document' then (
      select coalesce(account.full_name, token_order.payment_reference, offering.name) from cell.document
      left join cell.account on account.tenant_id = document.tenant_id and account.id = document.account_id
      left join cell.token_order on token_order.tenant_id = document.tenant_id and token_order.id = document.order_id
      left join cell.offering on offering.tenant_id = document.tenant_id and offering.id = document.offering_id
      where document.tenant_id = approval.tenant_id and document.id = approval.subject_id)
    when 'payment' then (
      select token_order.payment_reference from cell.payment
      join cell.token_order on token_order.tenant_id = payment.tenant_id and token_order.id = payment.order_id
      where payment.tenant_id = approval.tenant_id and payment.id = approval.subject_id)
    when 'refund' then (
      select token_order.payment_reference from cell.refund
      join cell.token_order on token_order.tenant_id = refund.tenant_id and token_order.id = refund.order_id
      where refund.tenant_id = approval.tenant_id and refund.id = approval.subject_id)
    when 'payment_provider' then (
      select payment_provider.name from cell.payment_provider
      where payment_provider.tenant_id = approval.tenant_id and payment_provider.id = approval.subject_id)
    when 'kyc_provider' then (
      select kyc_provider.name from cell.kyc_provider
      where kyc_provider.tenant_id = approval.tenant_id and kyc_provider.id = approval.subject_id)
    when 'kyc_check' then (
      select account.full_name from cell.kyc_check
      join cell.account on account.tenant_id = kyc_check.tenant_id and account.id = kyc_check.account_id
      where kyc_check.tenant_id = approval.tenant_id and kyc_check.id = approval.subject_id)
  end as "subjectName",
  (select offering.name from cell.offering
   where offering.tenant_id = approval.tenant_id and offering.id = approval.offering_id) as "offeringName"`

/** Subjects in the directory are users and credentials, whose names the view adds. */
const directoryNames: Sql = sql`null as "subjectName", null as "offeringName"`

export const approvalNames: Readonly<Record<'cell' | 'directory', Sql>> = {
  cell: cellNames,
  directory: directoryNames,
}

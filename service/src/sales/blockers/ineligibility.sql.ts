import { type Sql, sql } from '../../platform/postgres/sql.ts'

/** Blockers that the rules of an offering can cause, in the order in which an operator sees them. */
export const ineligibilities = [
  'country_not_allowed',
  'account_type_not_allowed',
  'investor_limit_exceeded',
  'account_not_invited',
  'document_not_accepted',
  'questionnaire_missing',
  'questionnaire_refused',
] as const
export type Ineligibility = (typeof ineligibilities)[number]

const isOf = (table: Sql): Sql => sql`
  ${table}.tenant_id = rules.tenant_id and ${table}.offering_id = rules.offering_id`

/** Sum of the account's orders of the offering up to this one. Only orders that reserve or hold units count. */
const investedAmount = sql`
  (select sum(earlier.total_amount) from cell.token_order earlier
   where earlier.tenant_id = token_order.tenant_id and earlier.account_id = token_order.account_id
     and earlier.offering_id = token_order.offering_id and earlier.account_position <= token_order.account_position
     and earlier.status not in ('CANCELLED', 'NOPAYMENT'))`

/** Conditions on `rules`, a row of cell.eligibility, and `account`. Those on an order are not among them. */
const accountRules = sql`
  ('country_not_allowed',
   not coalesce(account.profile ->> 'country' = any (rules.allowed_countries), true)
   or account.profile ->> 'country' = any (rules.refused_countries)),
  ('account_type_not_allowed', not coalesce(account.type = any (rules.account_types), true)),
  ('account_not_invited', rules.is_invited_only and not exists (
     select from cell.invited_account
     where ${isOf(sql`invited_account`)} and invited_account.account_id = account.id)),
  ('document_not_accepted', exists (
     select from cell.required_document
     where ${isOf(sql`required_document`)} and not exists (
       select from cell.document_acceptance accepted
       where accepted.tenant_id = rules.tenant_id and accepted.account_id = account.id
         and accepted.offering_id = rules.offering_id and accepted.document_id = required_document.document_id))),
  ('questionnaire_missing', rules.questionnaire_version is not null and not exists (
     select from cell.questionnaire_answer answer
     where ${isOf(sql`answer`)} and answer.account_id = account.id
       and answer.version = rules.questionnaire_version
       and (answer.outcome <> 'warned' or answer.is_warning_accepted))),
  ('questionnaire_refused', exists (
     select from cell.questionnaire_answer answer
     where ${isOf(sql`answer`)} and answer.account_id = account.id
       and answer.version = rules.questionnaire_version and answer.outcome = 'refused'))`

/**
 * Array of the offering's rules that keep an order from being minted; empty without rules. For statements with
 * `token_order` and `account`.
 */
export const orderIneligibility: Sql = sql`
  array(
    select rule.code from cell.eligibility rules
    cross join lateral (values
      ${accountRules},
      ('investor_limit_exceeded',
       rules.investor_max_amount is not null and ${investedAmount} > rules.investor_max_amount)
    ) as rule (code, applies)
    where rules.tenant_id = token_order.tenant_id and rules.offering_id = token_order.offering_id and rule.applies)`

/** Array of the rules that an account without an order fails. For statements with `rules` and `account`. */
export const accountIneligibility: Sql = sql`
  array(select rule.code from (values ${accountRules}) as rule (code, applies) where rule.applies)`

import { boundedCount, countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey, AccountType } from '../accounts/account.sql.ts'
import { accountIneligibility, type Ineligibility } from '../blockers/ineligibility.sql.ts'
import type { documentKinds } from '../documents/document.schema.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import type { Definition, QuestionnaireOutcome } from './questionnaire-outcome.ts'

export interface RulesRow {
  version: number
  allowedCountries: string[] | null
  refusedCountries: string[]
  accountTypes: AccountType[] | null
  investorMaxAmount: string | null
  isInvitedOnly: boolean
  questionnaireVersion: number | null
  /** The definition of that version. */
  questionnaire: Definition | null
}

const rulesColumns = sql`
  rules.version, rules.allowed_countries as "allowedCountries", rules.refused_countries as "refusedCountries",
  rules.account_types as "accountTypes", trim_scale(rules.investor_max_amount)::text as "investorMaxAmount",
  rules.is_invited_only as "isInvitedOnly", rules.questionnaire_version as "questionnaireVersion",
  (select questionnaire.definition from cell.questionnaire
   where questionnaire.tenant_id = rules.tenant_id and questionnaire.offering_id = rules.offering_id
     and questionnaire.version = rules.questionnaire_version) as questionnaire`

/** Returns undefined if the offering has no rules. */
export function findRules(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<RulesRow | undefined> {
  return tx.row<RulesRow>(sql`
    select ${rulesColumns} from cell.eligibility rules
    where rules.tenant_id = ${tenantId} and rules.offering_id = ${offeringId}`)
}

/** Stores the rules. The caller has locked the offering. */
export async function upsertRules(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  rules: Omit<RulesRow, 'questionnaire'>,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.eligibility (tenant_id, offering_id, version, allowed_countries, refused_countries, account_types,
                                  investor_max_amount, is_invited_only, questionnaire_version)
    values (${tenantId}, ${offeringId}, ${rules.version}, ${rules.allowedCountries}, ${rules.refusedCountries},
            ${rules.accountTypes}, ${rules.investorMaxAmount}, ${rules.isInvitedOnly}, ${rules.questionnaireVersion})
    on conflict (tenant_id, offering_id) do update
    set version = excluded.version, allowed_countries = excluded.allowed_countries,
        refused_countries = excluded.refused_countries, account_types = excluded.account_types,
        investor_max_amount = excluded.investor_max_amount, is_invited_only = excluded.is_invited_only,
        questionnaire_version = excluded.questionnaire_version`)
}

export async function insertQuestionnaire(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  { version, definition }: { version: number; definition: Definition },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.questionnaire (tenant_id, offering_id, version, definition)
    values (${tenantId}, ${offeringId}, ${version}, ${JSON.stringify(definition)})`)
}

export interface RequiredDocumentRow {
  id: string
  kind: (typeof documentKinds)[number]
  sha256: Buffer
  version: number
}

export function selectRequiredDocuments(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.rows<RequiredDocumentRow>(sql`
    select document_id as id, kind, sha256, version from cell.required_document
    where tenant_id = ${tenantId} and offering_id = ${offeringId} order by document_id`)
}

/** Replaces the required documents. Returns how many of those given are documents of the offering. */
export async function replaceRequiredDocuments(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  { documentIds, version }: { documentIds: readonly string[]; version: number },
): Promise<number> {
  await tx.rows(sql`
    delete from cell.required_document
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and document_id <> all (${[...documentIds]}::uuid[])`)
  await tx.rows(sql`
    insert into cell.required_document (tenant_id, offering_id, document_id, kind, sha256, version)
    select document.tenant_id, document.offering_id, document.id, document.kind, document.sha256, ${version}::integer
    from cell.document
    where document.tenant_id = ${tenantId} and document.offering_id = ${offeringId}
      and document.id = any (${[...documentIds]}::uuid[])
    on conflict do nothing`)
  return (await selectRequiredDocuments(tx, { tenantId, offeringId })).length
}

export interface AccountRulesRow extends RulesRow {
  ineligibility: Ineligibility[]
  outcome: QuestionnaireOutcome | null
  isWarningAccepted: boolean | null
  answeredAt: Date | null
}

export type EligibilityKey = AccountKey & OfferingKey

/** Returns the offering's rules as they apply to the account; undefined if the offering has no rules. */
export function findAccountRules(tx: Transaction, { tenantId, accountId, offeringId }: EligibilityKey) {
  return tx.row<AccountRulesRow>(sql`
    select ${rulesColumns}, ${accountIneligibility} as ineligibility, answer.outcome,
           answer.is_warning_accepted as "isWarningAccepted", answer.answered_at as "answeredAt"
    from cell.eligibility rules
    join cell.account on account.tenant_id = rules.tenant_id and account.id = ${accountId}
    left join cell.questionnaire_answer answer on answer.tenant_id = rules.tenant_id
      and answer.offering_id = rules.offering_id and answer.account_id = account.id
      and answer.version = rules.questionnaire_version
    where rules.tenant_id = ${tenantId} and rules.offering_id = ${offeringId}`)
}

/** Returns the required documents, and when the account accepted each. */
export function selectDocumentsToAccept(tx: Transaction, { tenantId, accountId, offeringId }: EligibilityKey) {
  return tx.rows<RequiredDocumentRow & { acceptedAt: Date | null }>(sql`
    select required.document_id as id, required.kind, required.sha256, required.version,
           accepted.accepted_at as "acceptedAt"
    from cell.required_document required
    left join cell.document_acceptance accepted on accepted.tenant_id = required.tenant_id
      and accepted.account_id = ${accountId} and accepted.offering_id = required.offering_id
      and accepted.document_id = required.document_id
    where required.tenant_id = ${tenantId} and required.offering_id = ${offeringId} order by required.document_id`)
}

/** Returns false if the account had accepted the document before. */
export async function insertAcceptance(
  tx: Transaction,
  { tenantId, accountId, offeringId }: EligibilityKey,
  { id, sha256, version }: RequiredDocumentRow,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into cell.document_acceptance (tenant_id, account_id, offering_id, document_id, sha256, version, accepted_at)
    values (${tenantId}, ${accountId}, ${offeringId}, ${id}, ${sha256}, ${version}, ${now})
    on conflict do nothing
    returning document_id`)
  return inserted !== undefined
}

/** Stores the answers. The caller has locked the account. */
export async function upsertAnswers(
  tx: Transaction,
  { tenantId, accountId, offeringId }: EligibilityKey,
  given: { version: number; answers: Buffer; outcome: QuestionnaireOutcome; isWarningAccepted: boolean; now: Date },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.questionnaire_answer (tenant_id, offering_id, account_id, version, answers, outcome,
                                           is_warning_accepted, answered_at)
    values (${tenantId}, ${offeringId}, ${accountId}, ${given.version}, ${given.answers}, ${given.outcome},
            ${given.isWarningAccepted}, ${given.now})
    on conflict (tenant_id, offering_id, account_id, version) do update
    set answers = excluded.answers, outcome = excluded.outcome, is_warning_accepted = excluded.is_warning_accepted,
        answered_at = excluded.answered_at`)
}

/** Returns the encryption context of answers. */
export function answersContext(offeringId: string, accountId: string, version: number | string): string {
  return `questionnaire ${offeringId} ${version} of account ${accountId}`
}

/** Returns the accounts that exist; some may have been invited before. */
export async function insertInvitedAccounts(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  accountIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const found = await tx.rows<{ id: string }>(sql`
    select id from cell.account
    where tenant_id = ${tenantId} and id = any (${[...accountIds]}::uuid[]) and erased_at is null`)
  const ids = found.map(({ id }) => id)
  await tx.rows(sql`
    insert into cell.invited_account (tenant_id, offering_id, account_id, invited_at)
    select ${tenantId}::uuid, ${offeringId}::uuid, id, ${now}::timestamptz from unnest(${ids}::uuid[]) given (id)
    on conflict do nothing`)
  return ids
}

/** Returns false if the account was not invited. */
export async function deleteInvitedAccount(
  tx: Transaction,
  { tenantId, offeringId, accountId }: EligibilityKey,
): Promise<boolean> {
  const deleted = await tx.row(sql`
    delete from cell.invited_account
    where tenant_id = ${tenantId} and offering_id = ${offeringId} and account_id = ${accountId}
    returning account_id`)
  return deleted !== undefined
}

export function countInvitedAccounts(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<number> {
  return boundedCount(tx, sql`from cell.invited_account where tenant_id = ${tenantId} and offering_id = ${offeringId}`)
}

interface InvitedAccountRow {
  id: string
  accountName: string
  invitedAt: Date
}

export function pageOfInvitedAccounts(tx: Transaction, { tenantId, offeringId }: OfferingKey, page: KeysetPage) {
  return countedPage<InvitedAccountRow>(tx, page, {
    columns: sql`
      invited_account.account_id as id, account.full_name as "accountName", invited_account.invited_at as "invitedAt"`,
    from: sql`cell.invited_account`,
    joins: sql`
      join cell.account on account.tenant_id = invited_account.tenant_id and account.id = invited_account.account_id`,
    where: sql`invited_account.tenant_id = ${tenantId} and invited_account.offering_id = ${offeringId}`,
    id: sql`invited_account.account_id`,
  })
}

import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../accounts/account.sql.ts'
import type { QuestionnaireOutcome } from './questionnaire-outcome.ts'

export interface SubjectAnswersRow {
  offeringId: string
  version: number
  outcome: QuestionnaireOutcome
  answeredAt: Date
  /** Sealed; null once the account is erased. */
  answers: Buffer | null
}

/** Returns an investor's answers to questionnaires, for the export of their data. */
export function selectAnswersOfAccount(tx: Transaction, { tenantId, accountId }: AccountKey, limit: number) {
  return tx.rows<SubjectAnswersRow>(sql`
    select offering_id as "offeringId", version, outcome, answered_at as "answeredAt", answers
    from cell.questionnaire_answer where tenant_id = ${tenantId} and account_id = ${accountId}
    order by offering_id, version limit ${limit}::bigint`)
}

/** Returns the documents that an investor accepted. */
export function selectAcceptancesOfAccount(tx: Transaction, { tenantId, accountId }: AccountKey, limit: number) {
  return tx.rows<{ offeringId: string; documentId: string; sha256: Buffer; acceptedAt: Date }>(sql`
    select offering_id as "offeringId", document_id as "documentId", sha256, accepted_at as "acceptedAt"
    from cell.document_acceptance where tenant_id = ${tenantId} and account_id = ${accountId}
    order by offering_id, document_id limit ${limit}::bigint`)
}

/** Erases the answers of an account; outcomes and times stay. Returns how many there were. */
export async function eraseAnswers(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<number> {
  const erased = await tx.rows(sql`
    update cell.questionnaire_answer set answers = null
    where tenant_id = ${tenantId} and account_id = ${accountId} and answers is not null
    returning version`)
  return erased.length
}

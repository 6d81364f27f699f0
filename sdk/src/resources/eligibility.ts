import type { Call } from '../call.ts'
import type { AccountEligibility, QuestionnaireAnswers } from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import { Resource } from './resource.ts'

export class Eligibility extends Resource {
  /** The documents to accept, the questionnaire to answer, and what blocks orders. Scope: `account.read`. */
  get(accountId: string, offeringId: string, options?: RequestOptions): Call<AccountEligibility> {
    return this.call('getAccountEligibility', { params: { accountId, offeringId }, options })
  }

  /** Records that the investor has accepted a document: `sha256` is that of the file shown. Scope: `account.update`. */
  acceptDocument(
    { accountId, offeringId, documentId }: { accountId: string; offeringId: string; documentId: string },
    sha256: string,
    options?: WriteOptions,
  ): Call<AccountEligibility> {
    const params = { accountId, offeringId, documentId }
    return this.call('acceptDocument', { params, body: { sha256 }, options })
  }

  /** Sends the answers of the investor and returns the outcome. Scope: `account.update`. */
  answer(
    accountId: string,
    offeringId: string,
    body: QuestionnaireAnswers,
    options?: WriteOptions,
  ): Call<AccountEligibility> {
    return this.call('answerQuestionnaire', { params: { accountId, offeringId }, body, options })
  }
}

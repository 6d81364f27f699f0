import { spooled } from '../../../src/platform/api/declare/spool.ts'
import { uploadOfferingDocument } from '../../../src/sales/documents/operator/upload-document.ts'
import { documentUpload } from '../../../src/sales/documents/store-document.ts'
import { acceptDocument } from '../../../src/sales/eligibility/accept-document.ts'
import { answerQuestionnaire } from '../../../src/sales/eligibility/answer-questionnaire.ts'
import { inviteAccounts } from '../../../src/sales/eligibility/operator/invite-accounts.ts'
import { setEligibility } from '../../../src/sales/eligibility/operator/set-eligibility.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { Fixtures } from './fixtures.ts'

interface OfOffering {
  tenantId: string
  offeringId: string
}

/** Rules that exclude nobody; tests change single members. */
export const openRules = {
  allowed_countries: null,
  refused_countries: [],
  account_types: null,
  investor_max_amount: null,
  is_invited_only: false,
  document_ids: [],
  questionnaire: null,
  reason: 'for a test',
}

export const questionnaire = {
  schema: {
    type: 'object',
    properties: {
      experience: { type: 'string', title: 'How often did you buy bonds?', enum: ['none', 'some', 'often'] },
      can_lose: { type: 'boolean', title: 'Can you afford to lose the money?' },
    },
  },
  outcomes: [
    { question: 'experience', one_of: ['none'], outcome: 'warned' },
    { question: 'can_lose', one_of: [false], outcome: 'refused' },
  ],
}

/** Adds a text file to an offering without HTTP. */
function createOfferingDocument(
  installation: TestInstallation,
  { tenantId, offeringId }: OfOffering,
): Promise<{ id: string; sha256: string }> {
  async function* bytes() {
    yield Buffer.from(crypto.randomUUID())
  }
  return spooled(bytes(), { ...documentUpload, tenantId }, (file) =>
    new DirectOperations(installation, tenantId).run(uploadOfferingDocument, { params: { offeringId }, file }),
  )
}

/** Gives an offering a document to accept and a questionnaire; `change` contains further rules. */
export async function requireDocumentAndAnswers(
  installation: TestInstallation,
  { tenantId, offeringId }: OfOffering,
  change: object = {},
): Promise<{ documentId: string; sha256: string; version: number }> {
  const { id: documentId, sha256 } = await createOfferingDocument(installation, { tenantId, offeringId })
  const direct = new DirectOperations(installation, tenantId)
  const body = { ...openRules, document_ids: [documentId], questionnaire, ...change }
  const { version } = await direct.run(setEligibility, { params: { offeringId }, body })
  return { documentId, sha256, version }
}

/** Makes an account meet all rules of an offering with every kind of rule. */
export async function createEligibleAccount(
  installation: TestInstallation,
  { accountId, ...key }: OfOffering & { accountId: string },
): Promise<void> {
  const { documentId, sha256, version } = await requireDocumentAndAnswers(installation, key)
  const direct = new DirectOperations(installation, key.tenantId)
  const params = { accountId, offeringId: key.offeringId }
  await direct.run(inviteAccounts, { params, body: { account_ids: [accountId] } })
  await direct.run(acceptDocument, { params: { ...params, documentId }, body: { sha256 } })
  const answers = { experience: 'often', can_lose: true }
  await direct.run(answerQuestionnaire, { params, body: { version, answers } })
}

/** Stores an answer in the investor's words to the questionnaire of another offering. */
export async function answerInText(
  installation: TestInstallation,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  text: string,
): Promise<void> {
  const offeringId = await new Fixtures(installation).offering(tenantId)
  const definition = {
    schema: { type: 'object', properties: { why: { type: 'string', title: 'Why?' } } },
    outcomes: [],
  }
  const rules = { questionnaire: definition }
  const { version } = await requireDocumentAndAnswers(installation, { tenantId, offeringId }, rules)
  const body = { version, answers: { why: text } }
  await new DirectOperations(installation, tenantId).run(answerQuestionnaire, {
    params: { accountId, offeringId },
    body,
  })
}

import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../accounts/account.errors.ts'
import { recheckOrdersOfAccount } from '../blockers/recheck-orders.ts'
import { holdDocument } from '../documents/document.sql.ts'
import { eligibilityErrors } from './eligibility.errors.ts'
import { AccountEligibility, DocumentAcceptance, RequiredDocumentPath } from './eligibility.schema.ts'
import { insertAcceptance, selectDocumentsToAccept } from './eligibility.sql.ts'
import { readAccountEligibility } from './eligibility.view.ts'
import { lockAccountForOffering } from './require-account-and-offering.ts'

export const acceptDocument = operation(
  {
    id: 'acceptDocument',
    summary: 'Accept a document of an offering',
    description:
      'Records that the investor has accepted a document, with its hash, its version and the time. Send the hash of ' +
      'the file that the investor has seen. A document that the operator has deleted cannot be accepted. Accepting ' +
      'one again changes nothing.',
    tag: 'Eligibility',
    method: 'POST',
    path: '/accounts/:accountId/eligibility/:offeringId/documents/:documentId/accept',
    scopes: ['account.update'],
    idempotency: 'optional',
    params: RequiredDocumentPath,
    body: DocumentAcceptance,
    success: { status: 200, body: AccountEligibility },
    errors: [requestErrors.not_found, accountErrors.account_erased, eligibilityErrors.document_changed],
    isExtension: true,
  },
  async ({ params: { documentId, ...path }, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...path }
    await lockAccountForOffering(tx, key)
    const document = (await selectDocumentsToAccept(tx, key)).find(({ id }) => id === documentId.toLowerCase())
    if (!document) throw new ApiError(requestErrors.not_found, 'The offering does not require this document.')
    if (document.sha256.toString('hex') !== body.sha256)
      throw new ApiError(
        eligibilityErrors.document_changed,
        'The member sha256 must be the hash of the required document. Show the investor the current one.',
      )
    if (!document.acceptedAt && !(await holdDocument(tx, { tenantId, documentId: document.id })))
      throw new ApiError(
        requestErrors.not_found,
        'The document has been deleted, so nobody can read it. The operator must require another one.',
      )
    if (await insertAcceptance(tx, key, document, now)) {
      await recheckOrdersOfAccount(tx, key)
      audit({
        action: 'account.document_accepted',
        subject: { type: 'account', id: key.accountId },
        after: {
          offering_id: key.offeringId,
          document_id: document.id,
          sha256: body.sha256,
          version: document.version,
        },
      })
    } else audit('nothing changed')
    return readAccountEligibility(tx, key)
  },
)

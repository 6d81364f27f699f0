import { keysetListOperation } from '../../../platform/api/declare/keyset-list.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { Document } from '../document.schema.ts'
import { readDocumentPage } from '../read-document-page.ts'

export const listOfferingDocuments = keysetListOperation(
  {
    id: 'listOfferingDocuments',
    summary: 'List the documents of an offering',
    description: 'What is stored, without the content, newest first.',
    tag: 'Offerings',
    path: '/offerings/:offeringId/documents',
    duty: 'read',
    params: OfferingPath,
    item: Document,
    errors: [requestErrors.not_found],
  },
  ({ params, page }, context) => readDocumentPage(context, { type: 'offering', id: params.offeringId }, page),
)

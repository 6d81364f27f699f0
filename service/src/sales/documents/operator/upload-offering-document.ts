import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { describeUpload, storeDocument, uploadHeader } from '../store-document.ts'

export const uploadOfferingDocument = operatorOperation(
  {
    ...uploadHeader,
    id: 'uploadOfferingDocument',
    summary: 'Add a document to an offering',
    description: describeUpload('a prospectus'),
    tag: 'Offerings',
    path: '/offerings/:offeringId/documents',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'never',
    params: OfferingPath,
  },
  ({ params, query: { kind }, file }, context) =>
    storeDocument(context, { type: 'offering', id: params.offeringId }, { file, kind }),
)

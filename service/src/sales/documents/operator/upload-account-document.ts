import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { describeUpload, storeDocument, uploadHeader } from '../store-document.ts'

export const uploadAccountDocument = operatorOperation(
  {
    ...uploadHeader,
    id: 'uploadAccountDocument',
    summary: 'Add a document to an account',
    description: describeUpload('a passport or a register extract'),
    tag: 'Accounts',
    path: '/accounts/:accountId/documents',
    duty: 'compliance',
    approval: 'never',
    params: AccountPath,
  },
  ({ params, query: { kind }, file }, context) =>
    storeDocument(context, { type: 'account', id: params.accountId }, { file, kind }),
)

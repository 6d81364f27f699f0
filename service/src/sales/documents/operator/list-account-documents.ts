import { keysetListOperation } from '../../../platform/api/declare/keyset-list.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { Document } from '../document.schema.ts'
import { readDocumentPage } from '../read-document-page.ts'

export const listAccountDocuments = keysetListOperation(
  {
    id: 'listAccountDocuments',
    summary: 'List the documents of an account',
    description: 'What is stored, without the content, newest first.',
    tag: 'Accounts',
    path: '/accounts/:accountId/documents',
    duty: 'read',
    params: AccountPath,
    item: Document,
    errors: [requestErrors.not_found],
  },
  ({ params, page }, context) => readDocumentPage(context, { type: 'account', id: params.accountId }, page),
)

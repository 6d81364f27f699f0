import type { Static } from 'typebox'
import type { CursorPosition } from '../../../platform/api/declare/cursor.ts'
import { type KeysetPage, keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import type { OperatorContext } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { OperatorOrderPath } from '../../orders/operator/operator-order.schema.ts'
import { Document } from '../document.schema.ts'
import { type DocumentSubject, documentSubjectExists, pageOfDocuments } from '../document.sql.ts'
import { viewDocument } from '../document.view.ts'

const listHeader = {
  description: 'What is stored, without the content, newest first.',
  item: Document,
  errors: [requestErrors.not_found],
} as const

export const listAccountDocuments = keysetListOperation(
  {
    ...listHeader,
    id: 'listAccountDocuments',
    summary: 'List the documents of an account',
    tag: 'Accounts',
    path: '/accounts/:accountId/documents',
    duty: 'read',
    params: AccountPath,
  },
  ({ params, page }, context) => readDocumentPage(context, { type: 'account', id: params.accountId }, page),
)

export const listOrderDocuments = keysetListOperation(
  {
    ...listHeader,
    id: 'listOrderDocuments',
    summary: 'List the documents of an order',
    tag: 'Orders',
    path: '/orders/:orderId/documents',
    duty: 'read',
    params: OperatorOrderPath,
  },
  ({ params, page }, context) => readDocumentPage(context, { type: 'order', id: params.orderId }, page),
)

export const listOfferingDocuments = keysetListOperation(
  {
    ...listHeader,
    id: 'listOfferingDocuments',
    summary: 'List the documents of an offering',
    tag: 'Offerings',
    path: '/offerings/:offeringId/documents',
    duty: 'read',
    params: OfferingPath,
  },
  ({ params, page }, context) => readDocumentPage(context, { type: 'offering', id: params.offeringId }, page),
)

/** Reads a page of the documents of one account, order or offering. */
async function readDocumentPage(
  { tenantId, tx }: OperatorContext,
  subject: DocumentSubject,
  page: KeysetPage,
): Promise<{ count: number; results: Static<typeof Document>[]; next: CursorPosition | undefined }> {
  const [exists, { count, rows }] = await tx.batch(
    (tx) => documentSubjectExists(tx, tenantId, subject),
    (tx) => pageOfDocuments(tx, tenantId, subject, page),
  )
  if (!exists) throw new ApiError(requestErrors.not_found, `There is no such ${subject.type}.`)
  return { count, ...pageOf(rows, page, viewDocument) }
}

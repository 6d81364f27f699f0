import { tenantErrors } from '../../../access/tenants/tenant.errors.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../../accounts/account.errors.ts'
import { AccountPath } from '../../accounts/account.schema.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { OperatorOrderPath } from '../../orders/operator/operator-order.schema.ts'
import { offeringOfOrder } from '../../orders/operator/operator-order.sql.ts'
import { documentErrors } from '../document.errors.ts'
import { Document, DocumentQuery } from '../document.schema.ts'
import { documentUpload, storeDocument } from '../store-document.ts'

/** Header of the operations that store a document. They are idempotent by the hash of the file and need no key. */
const uploadHeader = {
  method: 'POST',
  idempotency: 'none',
  query: DocumentQuery,
  upload: documentUpload,
  success: { status: 201, body: Document },
  errors: [
    requestErrors.not_found,
    accountErrors.account_erased,
    documentErrors.document_type_unsupported,
    documentErrors.document_limit_reached,
    tenantErrors.tenant_limit_reached,
  ],
} as const

const describeUpload = (examples: string): string =>
  `Stores a file, such as ${examples}, sealed with the key of your tenant. Send it as the body. Its content must be ` +
  'a PDF, a PNG or JPEG image, or plain text; it is not scanned for malware. The same file again changes nothing.'

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

export const uploadOrderDocument = operatorOperation(
  {
    ...uploadHeader,
    id: 'uploadOrderDocument',
    summary: 'Add a document to an order',
    description: describeUpload('a signed subscription form'),
    tag: 'Orders',
    path: '/orders/:orderId/documents',
    duty: 'offerings',
    offering: offeringOfOrder,
    approval: 'never',
    params: OperatorOrderPath,
  },
  ({ params, query: { kind }, file }, context) =>
    storeDocument(context, { type: 'order', id: params.orderId }, { file, kind }),
)

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

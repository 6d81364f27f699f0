import type { OperatorOperation } from '../../../platform/api/declare/operation.ts'
import { deleteDocument } from './delete-document.ts'
import { downloadDocument } from './download-document.ts'
import { listAccountDocuments } from './list-account-documents.ts'
import { listOfferingDocuments } from './list-offering-documents.ts'
import { listOrderDocuments } from './list-order-documents.ts'
import { uploadAccountDocument } from './upload-account-document.ts'
import { uploadOfferingDocument } from './upload-offering-document.ts'
import { uploadOrderDocument } from './upload-order-document.ts'

/** Operations on files of accounts, orders and offerings. */
export const documentOperations: readonly OperatorOperation[] = [
  uploadAccountDocument, //            POST  /accounts/:accountId/documents
  listAccountDocuments, //             GET   /accounts/:accountId/documents
  uploadOrderDocument, //              POST  /orders/:orderId/documents
  listOrderDocuments, //               GET   /orders/:orderId/documents
  uploadOfferingDocument, //           POST  /offerings/:offeringId/documents
  listOfferingDocuments, //            GET   /offerings/:offeringId/documents
  downloadDocument, //                 POST  /documents/:documentId/download
  deleteDocument, //                   POST  /documents/:documentId/delete
]

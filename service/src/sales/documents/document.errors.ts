import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const documentErrors = declareErrors({
  document_type_unsupported: {
    status: 400,
    cause: 'The content of the file is none of the types that documents may have.',
    remedy: 'Send a PDF, a PNG or JPEG image, or plain text in UTF-8. The content decides, not the Content-Type.',
  },
  document_limit_reached: {
    status: 409,
    cause: 'The account, order or offering already has as many documents as it may have.',
    remedy: 'Delete a document that is no longer needed.',
  },
})

import { Type } from 'typebox'
import { Closed, Named, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { contentTypes } from './content-type.ts'

export const documentKinds = ['identity', 'address', 'register', 'tax', 'contract', 'prospectus', 'other'] as const
export const documentSubjects = ['account', 'order', 'offering'] as const

export const DocumentPath = Type.Object({ documentId: Uuid('The document.') })

/** Has no file name, which would often contain the name of a person: URLs are logged. */
export const DocumentQuery = Closed({
  kind: Type.Optional(Type.Enum(documentKinds, { default: 'other', description: 'What the document shows.' })),
})

export const Document = Named('Document', {
  id: Uuid('The document.'),
  subject_type: Type.Enum(documentSubjects, { description: 'What it belongs to.' }),
  subject_id: Uuid('The account, order or offering.', 'The account.'),
  kind: Type.Enum(documentKinds),
  content_type: Type.Enum(contentTypes, { description: 'Found by reading the file.' }),
  bytes: Type.Integer({ minimum: 1, description: 'The size of the file.', examples: [48_213] }),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The hash of the file.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  uploaded_by: Uuid('The user who sent it.', 'The admin.'),
  created_at: Timestamp('When it was sent.'),
})

export const DocumentDeletion = Named('DocumentDeletion', {
  reason: Text(1, 500, {
    description: 'For the audit log. Must not contain personal data.',
    examples: ['Replaced by a better scan.'],
  }),
})

import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const closed = { additionalProperties: false }

/** Resources that operators can write notes about. */
export const noteSubjects = ['order', 'account', 'offering', 'unassigned_payment', 'refund'] as const

export const NotePath = Type.Object({ noteId: Uuid('The note.') }, closed)

const subject = {
  subject_type: Type.Enum(noteSubjects, { description: 'The type of the resource that it is about.' }),
  subject_id: Uuid('The resource that it is about.', 'The order.'),
}

export const NewNote = Type.Object(
  { ...subject, text: Text(1, 4000, { description: 'The text.', examples: ['Called: pays on Friday.'] }) },
  { ...closed, title: 'NewNote' },
)

export const Note = Type.Object(
  {
    id: Uuid('The note.'),
    ...subject,
    author_id: Uuid('The user who wrote it.', 'The admin.'),
    text: Type.String({ description: 'The text.', examples: ['Called: pays on Friday.'] }),
    created_at: Timestamp('When it was written.'),
  },
  { ...closed, title: 'Note' },
)

export const ListedNote = Type.Object(
  {
    ...Note.properties,
    author_name: orNull(Type.String({ description: 'Their name.', examples: ['Grace Hopper'] })),
  },
  { ...closed, title: 'ListedNote' },
)

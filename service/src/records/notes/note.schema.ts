import { Type } from 'typebox'
import { Closed, Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

/** Resources that operators can write notes about. */
export const noteSubjects = ['order', 'account', 'offering', 'unassigned_payment', 'refund'] as const

export const NotePath = Closed({ noteId: Uuid('The note.') })

const subject = {
  subject_type: Type.Enum(noteSubjects, { description: 'The type of the resource that it is about.' }),
  subject_id: Uuid('The resource that it is about.', 'The order.'),
}

export const NewNote = Named('NewNote', {
  ...subject,
  text: Text(1, 4000, { description: 'The text.', examples: ['Called: pays on Friday.'] }),
})

export const Note = Named('Note', {
  id: Uuid('The note.'),
  ...subject,
  author_id: Uuid('The user who wrote it.', 'The admin.'),
  text: Type.String({ description: 'The text.', examples: ['Called: pays on Friday.'] }),
  created_at: Timestamp('When it was written.'),
})

export const ListedNote = Named('ListedNote', {
  ...Note.properties,
  author_name: orNull(Type.String({ description: 'Their name.', examples: ['Grace Hopper'] })),
})

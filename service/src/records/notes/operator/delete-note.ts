import { hasDuty } from '../../../platform/api/declare/duties.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Note, NotePath } from '../note.schema.ts'
import { deleteNoteRow, findNote } from '../note.sql.ts'
import { viewNote } from '../note.view.ts'

export const deleteNote = operatorOperation(
  {
    id: 'deleteNote',
    summary: 'Delete a note',
    description: 'Only its author can, and users with the duty `team`. Returns the note as it was.',
    tag: 'Notes',
    method: 'POST',
    path: '/notes/:noteId/delete',
    duty: 'read',
    approval: 'never',
    idempotency: 'optional',
    params: NotePath,
    success: { status: 200, body: Note },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, vault, operator, audit }) => {
    const key = { tenantId, ...params }
    const note = await findNote(tx, key)
    if (!note) throw noteNotFound()
    if (note.authorId !== operator.userId && !hasDuty(operator, 'team', null))
      throw new ApiError(requestErrors.insufficient_duty, "You need the duty team to delete another user's note.")
    const deleted = await viewNote(note, vault)
    if (!(await deleteNoteRow(tx, key))) throw noteNotFound()
    audit({
      action: 'note.deleted',
      subject: { type: 'note', id: note.id },
      before: { subject_type: note.subjectType, subject_id: note.subjectId, author_id: note.authorId },
    })
    return deleted
  },
)

function noteNotFound(): ApiError {
  return new ApiError(requestErrors.not_found, 'Note not found.')
}

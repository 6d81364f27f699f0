import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { NewNote, Note } from '../note.schema.ts'
import { insertNote } from '../note.sql.ts'
import { sealedForNote, viewNote } from '../note.view.ts'

export const createNote = operatorOperation(
  {
    id: 'createNote',
    summary: 'Write a note',
    description:
      'A note about an order, account, offering, unassigned payment or refund, for your colleagues. It is stored ' +
      'encrypted, is on the timeline of its resource, and can be deleted but not changed. The audit log says that it ' +
      'was written and not what it says.',
    tag: 'Notes',
    method: 'POST',
    path: '/notes',
    duty: 'read',
    approval: 'never',
    idempotency: 'optional',
    body: NewNote,
    success: { status: 201, body: Note },
    errors: [requestErrors.not_found],
  },
  async ({ body }, { tenantId, tx, vault, operator, audit }) => {
    const id = newRowId()
    const { subject_type: subjectType, subject_id: subjectId } = body
    const text = await vault.seal(body.text, sealedForNote(id))
    const note = await insertNote(tx, tenantId, { id, subjectType, subjectId, authorId: operator.userId, text })
    if (!note)
      throw new ApiError(requestErrors.not_found, `There is no ${subjectType.replaceAll('_', ' ')} with this id.`)
    audit({
      action: 'note.created',
      subject: { type: 'note', id },
      after: { subject_type: subjectType, subject_id: note.subjectId },
    })
    return viewNote(note, vault)
  },
)

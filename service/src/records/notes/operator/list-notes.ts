import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { selectActorNames } from '../../audit/actor-name.sql.ts'
import { ListedNote } from '../note.schema.ts'
import { countNotes, selectNotes } from '../note.sql.ts'
import { viewNote } from '../note.view.ts'

export const listNotes = keysetListOperation(
  {
    id: 'listNotes',
    summary: 'List notes',
    description: 'Notes about one resource, or all notes of the tenant.',
    tag: 'Notes',
    path: '/notes',
    duty: 'read',
    item: ListedNote,
    query: { subject_id: Type.Optional(Uuid('Only notes about this resource.', 'The order.')) },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, vault, readOther }) => {
    const [count, rows] = await tx.batch(
      (tx) => countNotes(tx, tenantId, query),
      (tx) => selectNotes(tx, tenantId, query, page),
    )
    const names = await readOther((directory) =>
      selectActorNames(
        directory,
        tenantId,
        rows.map(({ authorId }) => authorId),
      ),
    )
    const { results, next } = pageOf(rows, page, async (row) => ({
      ...(await viewNote(row, vault)),
      author_name: names.get(row.authorId) ?? null,
    }))
    return { count, results: await Promise.all(results), next }
  },
)

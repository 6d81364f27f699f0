import type { Static } from 'typebox'
import type { Vault } from '../../platform/postgres/vault.ts'
import type { Note } from './note.schema.ts'
import type { NoteRow } from './note.sql.ts'

/** Seals the text for its row: it cannot be opened for another note. */
export function sealedForNote(noteId: string): string {
  return `note ${noteId} text`
}

export function openNote(vault: Vault, { id, text }: Pick<NoteRow, 'id' | 'text'>): Promise<string> {
  return vault.open(text, sealedForNote(id))
}

export async function viewNote(row: NoteRow, vault: Vault): Promise<Static<typeof Note>> {
  return {
    id: row.id,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    author_id: row.authorId,
    text: await openNote(vault, row),
    created_at: row.createdAt.toISOString(),
  }
}

import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { noteSubjects } from './note.schema.ts'

export type NoteSubject = (typeof noteSubjects)[number]

/** A row of cell.note. */
export interface NoteRow {
  id: string
  subjectType: NoteSubject
  subjectId: string
  authorId: string
  /** Sealed. */
  text: Buffer
  createdAt: Date
}

export interface NoteKey {
  tenantId: string
  noteId: string
}

const columns = sql`
  note.id, note.subject_type as "subjectType", note.subject_id as "subjectId", note.author_id as "authorId", note.text,
  note.created_at as "createdAt"`

const tables: Readonly<Record<NoteSubject, Sql>> = {
  order: raw('cell.token_order'),
  account: raw('cell.account'),
  offering: raw('cell.offering'),
  unassigned_payment: raw('cell.unassigned_payment'),
  refund: raw('cell.refund'),
}

/** Returns undefined if the subject does not exist. */
export function insertNote(tx: Transaction, tenantId: string, note: Omit<NoteRow, 'createdAt'>) {
  return tx.row<NoteRow>(sql`
    insert into cell.note (tenant_id, id, subject_type, subject_id, author_id, text)
    select subject.tenant_id, ${note.id}::uuid, ${note.subjectType}::text, subject.id, ${note.authorId}::uuid,
           ${note.text}::bytea
    from ${tables[note.subjectType]} subject where subject.tenant_id = ${tenantId} and subject.id = ${note.subjectId}
    returning ${columns}`)
}

/** Returns the note with its author and subject. */
export function findNote(tx: Transaction, { tenantId, noteId }: NoteKey): Promise<NoteRow | undefined> {
  return tx.row<NoteRow>(sql`
    select ${columns} from cell.note where note.tenant_id = ${tenantId} and note.id = ${noteId}`)
}

/** Returns false if another transaction has deleted the note. */
export async function deleteNoteRow(tx: Transaction, { tenantId, noteId }: NoteKey): Promise<boolean> {
  const deleted = await tx.row(sql`
    delete from cell.note where tenant_id = ${tenantId} and id = ${noteId} returning id`)
  return deleted !== undefined
}

/** Deletes all notes about these subjects, for the erasure of an account. Returns how many there were. */
export async function deleteNotesAbout(
  tx: Transaction,
  tenantId: string,
  subjectIds: readonly string[],
): Promise<number> {
  const deleted = await tx.rows(sql`
    delete from cell.note where tenant_id = ${tenantId} and subject_id = any (${subjectIds}::uuid[]) returning id`)
  return deleted.length
}

export interface NoteFilter {
  subject_id?: string | undefined
}

function matching(tenantId: string, { subject_id }: NoteFilter): Sql {
  const isAbout = subject_id === undefined ? sql`` : sql`and note.subject_id = ${subject_id}`
  return sql`note.tenant_id = ${tenantId} ${isAbout}`
}

export function countNotes(tx: Transaction, tenantId: string, filter: NoteFilter): Promise<number> {
  return boundedCount(tx, sql`from cell.note where ${matching(tenantId, filter)}`)
}

export function selectNotes(
  tx: Transaction,
  tenantId: string,
  filter: NoteFilter,
  page: KeysetPage,
): Promise<NoteRow[]> {
  const { column, where, orderBy } = keysetCut(sql`note.id`, page)
  return tx.rows<NoteRow>(sql`
    select ${columns}, ${column} from cell.note where ${matching(tenantId, filter)} and ${where} ${orderBy}`)
}

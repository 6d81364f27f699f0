import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ContentType } from './content-type.ts'
import type { documentKinds, documentSubjects } from './document.schema.ts'

export interface DocumentSubject {
  readonly type: (typeof documentSubjects)[number]
  readonly id: string
}

export interface DocumentRow {
  id: string
  subjectType: DocumentSubject['type']
  subjectId: string
  kind: (typeof documentKinds)[number]
  contentType: ContentType
  bytes: number
  sha256: Buffer
  uploadedBy: string
  createdAt: Date
}

const columnOf = ({ type }: DocumentSubject): Sql => raw(`${type}_id`)
const tableOf = { account: sql`cell.account`, order: sql`cell.token_order`, offering: sql`cell.offering` } as const

const ofSubject = (tenantId: string, subject: DocumentSubject): Sql => sql`
  document.tenant_id = ${tenantId} and document.${columnOf(subject)} = ${subject.id}`

const columns = sql`
  document.id,
  case when document.account_id is not null then 'account'
       when document.order_id is not null then 'order' else 'offering' end as "subjectType",
  coalesce(document.account_id, document.order_id, document.offering_id) as "subjectId", document.kind,
  document.content_type as "contentType", document.bytes, document.sha256, document.uploaded_by as "uploadedBy",
  document.created_at as "createdAt"`

/** Locks the subject, so that the limit of its documents cannot be exceeded and none is added while it is erased. */
export function lockDocumentSubject(
  tx: Transaction,
  tenantId: string,
  subject: DocumentSubject,
): Promise<{ id: string; accountId: string | null; count: number } | undefined> {
  const accountId = { account: sql`subject.id`, order: sql`subject.account_id`, offering: sql`null::uuid` }[
    subject.type
  ]
  return tx.row(sql`
    select subject.id, ${accountId} as "accountId",
           (select count(*)::int from cell.document where ${ofSubject(tenantId, subject)}) as count
    from ${tableOf[subject.type]} subject
    where subject.tenant_id = ${tenantId} and subject.id = ${subject.id}
    for no key update of subject`)
}

/** Finds out when the account was erased. Waits for an erasure in progress, so that nothing is added behind it. */
export function findErasure(tx: Transaction, { tenantId, accountId }: { tenantId: string; accountId: string }) {
  return tx.row<{ erasedAt: Date | null }>(sql`
    select erased_at as "erasedAt" from cell.account where tenant_id = ${tenantId} and id = ${accountId}
    for share`)
}

/** Inserts the document, or returns undefined if the subject already has one with this hash. */
export function insertDocument(
  tx: Transaction,
  tenantId: string,
  document: Omit<DocumentRow, 'createdAt' | 'subjectType' | 'subjectId'>,
  subject: DocumentSubject,
): Promise<DocumentRow | undefined> {
  return tx.row<DocumentRow>(sql`
    insert into cell.document (tenant_id, id, ${columnOf(subject)}, kind, content_type, bytes, sha256, uploaded_by)
    values (${tenantId}, ${document.id}, ${subject.id}, ${document.kind}, ${document.contentType}, ${document.bytes},
            ${document.sha256}, ${document.uploadedBy})
    on conflict do nothing
    returning ${columns}`)
}

export async function insertDocumentPart(
  tx: Transaction,
  { tenantId, documentId }: DocumentKey,
  { number, content }: { number: number; content: Buffer },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.document_part (tenant_id, document_id, number, content)
    values (${tenantId}, ${documentId}, ${number}, ${content})`)
}

export const documentFingerprint = rowFingerprint(sql`cell.document`)

export interface DocumentKey {
  tenantId: string
  documentId: string
}

export function findDocument(tx: Transaction, { tenantId, documentId }: DocumentKey): Promise<DocumentRow | undefined> {
  return tx.row<DocumentRow>(sql`
    select ${columns} from cell.document where document.tenant_id = ${tenantId} and document.id = ${documentId}
    for no key update`)
}

/** Returns true if the document exists, and keeps it from being deleted until the end of the transaction. */
export async function holdDocument(tx: Transaction, { tenantId, documentId }: DocumentKey): Promise<boolean> {
  const found = await tx.row(sql`
    select document.id from cell.document where document.tenant_id = ${tenantId} and document.id = ${documentId}
    for key share`)
  return found !== undefined
}

/** Returns true if investors must accept the document to buy an offering that is no longer a draft. */
export async function isRequiredOnceOpened(tx: Transaction, { tenantId, documentId }: DocumentKey): Promise<boolean> {
  const found = await tx.row(sql`
    select required.document_id from cell.document
    join cell.required_document required on required.tenant_id = document.tenant_id
      and required.offering_id = document.offering_id and required.document_id = document.id
    join cell.offering on offering.tenant_id = document.tenant_id and offering.id = document.offering_id
    where document.tenant_id = ${tenantId} and document.id = ${documentId} and offering.status <> 'DRAFT'`)
  return found !== undefined
}

export function findDocumentByHash(tx: Transaction, tenantId: string, subject: DocumentSubject, sha256: Buffer) {
  return tx.row<DocumentRow>(sql`
    select ${columns} from cell.document where ${ofSubject(tenantId, subject)} and document.sha256 = ${sha256}`)
}

export async function selectDocumentHashes(
  tx: Transaction,
  tenantId: string,
  subject: DocumentSubject,
): Promise<string[]> {
  const rows = await tx.rows<{ hash: string }>(sql`
    select kind || ' ' || encode(sha256, 'hex') as hash from cell.document
    where ${ofSubject(tenantId, subject)} order by hash limit 1000`)
  return rows.map(({ hash }) => hash)
}

export function selectDocumentParts(tx: Transaction, { tenantId, documentId }: DocumentKey) {
  return tx.rows<{ number: number; content: Buffer }>(sql`
    select number, content from cell.document_part
    where tenant_id = ${tenantId} and document_id = ${documentId} order by number`)
}

/** Returns the number of bytes of their content. */
export async function deleteDocumentRows(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<number> {
  const parts = await tx.rows<{ bytes: number }>(sql`
    delete from cell.document_part where tenant_id = ${tenantId} and document_id = any (${[...ids]})
    returning octet_length(content) as bytes`)
  await tx.rows(sql`delete from cell.document where tenant_id = ${tenantId} and id = any (${[...ids]})`)
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

export async function documentSubjectExists(
  tx: Transaction,
  tenantId: string,
  { type, id }: DocumentSubject,
): Promise<boolean> {
  return (await tx.row(sql`select from ${tableOf[type]} where tenant_id = ${tenantId} and id = ${id}`)) !== undefined
}

export function pageOfDocuments(tx: Transaction, tenantId: string, subject: DocumentSubject, page: KeysetPage) {
  return countedPage<DocumentRow>(tx, page, {
    columns,
    from: sql`cell.document`,
    where: ofSubject(tenantId, subject),
    id: sql`document.id`,
  })
}

/** Returns the documents of an account and of its orders. */
export function selectDocumentsOfAccount(
  tx: Transaction,
  { tenantId, accountId }: { tenantId: string; accountId: string },
): Promise<DocumentRow[]> {
  return tx.rows<DocumentRow>(sql`
    select ${columns} from cell.document
    where document.tenant_id = ${tenantId} and (
      document.account_id = ${accountId}
      or document.order_id in (
        select id from cell.token_order where tenant_id = ${tenantId} and account_id = ${accountId}))
    order by document.id`)
}

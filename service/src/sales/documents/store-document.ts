import type { Static } from 'typebox'
import { requireRoomForFiles, requireSomeRoomForFiles } from '../../access/tenants/count-stored-files.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import type { SpooledFile, Upload } from '../../platform/api/declare/spool.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { found } from '../../platform/api/errors/found.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { requireNotErased } from '../accounts/require-not-erased.ts'
import { contentTypeOf, contentTypes } from './content-type.ts'
import { documentErrors } from './document.errors.ts'
import type { Document, documentKinds } from './document.schema.ts'
import {
  type DocumentSubject,
  findDocumentByHash,
  findErasure,
  insertDocument,
  insertDocumentPart,
  lockDocumentSubject,
} from './document.sql.ts'
import { viewDocument } from './document.view.ts'

const mebibytesMax = 10
const documentsMax = 100
// A multiple of three, so that the base64 texts of the parts add up to that of the file. Small, because each part is
// sealed alone and rotating a data key reads a hundred at a time.
const partBytes = 192 * 1024

export const documentUpload: Upload = {
  mediaTypes: contentTypes,
  bytesMax: mebibytesMax * 1024 * 1024,
  msMax: 60_000,
  description: `A PDF, a PNG or JPEG image, or plain text in UTF-8, of at most ${mebibytesMax} MiB.`,
}

/** Seals and stores a file. Storing the same file again changes nothing and returns the existing document. */
export async function storeDocument(
  { tenantId, tx, vault, operator, audit }: OperatorContext,
  subject: DocumentSubject,
  { file, kind = 'other' }: { file: SpooledFile; kind?: (typeof documentKinds)[number] | undefined },
): Promise<Static<typeof Document>> {
  const locked = found(await lockDocumentSubject(tx, tenantId, subject), `There is no such ${subject.type}.`)
  const { accountId, count } = locked
  const account = accountId === null ? undefined : await findErasure(tx, { tenantId, accountId })
  if (account) requireNotErased(account)
  const known = await findDocumentByHash(tx, tenantId, subject, file.sha256)
  if (known) {
    audit('nothing changed')
    return viewDocument(known)
  }
  if (count >= documentsMax)
    throw new ApiError(
      documentErrors.document_limit_reached,
      `The ${subject.type} already has ${documentsMax} documents, the maximum. Delete one first.`,
    )
  await requireSomeRoomForFiles(tx, tenantId)
  const bytes = await bytesOf(file)
  const contentType = contentTypeOf(bytes)
  if (!contentType)
    throw new ApiError(
      documentErrors.document_type_unsupported,
      'The file is neither a PDF, a PNG or JPEG image, nor plain text in UTF-8.',
    )
  const id = newRowId()
  const facts = { id, kind, contentType, bytes: bytes.length, sha256: file.sha256, uploadedBy: operator.userId }
  const inserted = await insertDocument(tx, tenantId, facts, subject)
  if (!inserted) throw new Error('a document of a locked subject was inserted by another transaction')
  let storedBytes = 0
  for (let number = 0; number * partBytes < bytes.length; number += 1) {
    const part = bytes.subarray(number * partBytes, (number + 1) * partBytes).toString('base64')
    const content = await vault.seal(part, documentPartContext(id, number))
    await insertDocumentPart(tx, { tenantId, documentId: id }, { number, content })
    storedBytes += content.length
  }
  await requireRoomForFiles(tx, tenantId, storedBytes)
  audit({
    action: 'document.uploaded',
    subject: { type: 'document', id },
    after: { [`${subject.type}_id`]: subject.id, kind, content_type: contentType, sha256: file.sha256.toString('hex') },
  })
  return viewDocument(inserted)
}

/** Binds a sealed part to its document and number: it cannot be opened as another. */
export function documentPartContext(documentId: string, number: number): string {
  return `document ${documentId} part ${number}`
}

/** Copies each chunk, because they share one buffer. */
async function bytesOf(file: SpooledFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file.read()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

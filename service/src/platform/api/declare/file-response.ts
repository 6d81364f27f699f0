import { Type } from 'typebox'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Vault } from '../../postgres/vault.ts'

export type FileType =
  | 'application/xml'
  | 'application/octet-stream'
  | 'text/csv'
  | 'text/plain'
  | 'application/json'
  | 'application/pdf'

const Name = Type.String({ pattern: '^[a-z0-9.-]{1,100}$', description: 'Name of the file when it is saved.' })

/** The result of an operation that responds with a file; see `success.file` of its header. */
export const FileResponse = Type.Unsafe<FileResponse>(Type.Object({ name: Name }))

export interface FileResponse {
  readonly name: string
  /** One of `success.otherFiles`, if it is not `success.file`. */
  readonly type?: FileType
  readonly content: string | Buffer
}

/**
 * The result of an operation that responds with a file of any size. The pipeline sends it in parts after the
 * operation's transaction. It reads each part in a separate transaction once the caller has taken the previous one, so
 * that neither memory nor a transaction grows with the file.
 */
export const FileInParts = Type.Unsafe<FileInParts>(
  Type.Object({ name: Name, bytes: Type.Integer({ minimum: 0 }), partCount: Type.Integer({ minimum: 0 }) }),
)

export interface FileInParts {
  readonly name: string
  /** One of `success.otherFiles`, if it is not `success.file`. */
  readonly type?: FileType
  /** Length of the whole file: a caller that receives less knows that the response was cut off. */
  readonly bytes: number
  readonly partCount: number
  readonly readPart: (index: number, context: PartContext) => Promise<Buffer>
}

interface PartContext {
  readonly tx: Transaction
  readonly vault: Vault
}

/** Returns the header that names the file. We choose plain names, so nothing in them needs escaping. */
export function fileHeaders({ name }: Pick<FileResponse, 'name'>): Record<string, string> {
  if (!/^[a-z0-9.-]{1,100}$/.test(name))
    throw new Error(`file name ${name} contains a character that a header cannot carry`)
  return { 'content-disposition': `attachment; filename="${name}"` }
}

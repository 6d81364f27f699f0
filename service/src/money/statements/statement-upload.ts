import type { Upload } from '../../platform/api/declare/spool.ts'

/** A bank's file: 256 MiB are a quarter of a million entries with all that banks like to say about each. */
export const statementUpload = {
  mediaTypes: ['application/xml', 'text/xml'],
  bytesMax: 256 * 1024 * 1024,
  msMax: 900_000,
  description: 'A bank statement in camt.053, version 001.02 or newer, in UTF-8; 256 MiB at most.',
} as const satisfies Upload

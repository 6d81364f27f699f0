import type { Upload } from '../../platform/api/declare/spool.ts'
import { statementFormats } from './statement-formats.ts'

const [firstMediaType = '', ...otherMediaTypes] = new Set(statementFormats.flatMap(({ mediaTypes }) => mediaTypes))

/** 256 MiB is enough for about 250,000 entries with all optional fields. */
export const statementUpload: Upload = {
  mediaTypes: [firstMediaType, ...otherMediaTypes],
  bytesMax: 256 * 1024 * 1024,
  msMax: 900_000,
  description: `A bank statement file of at most 256 MiB: ${statementFormats.map(({ name }) => name).join(' or ')}.`,
}

import type { SpooledFile } from '../../platform/api/declare/spool.ts'
import { camt053Format } from './read-camt053.ts'
import type { StatementFormat } from './statement-format.ts'

/** All supported file formats. CONTRIBUTING.md says how to add one. */
export const statementFormats: readonly [StatementFormat, ...StatementFormat[]] = [camt053Format]

/**
 * Detects a file's format by its beginning. A file that matches none is passed to the first format: it is the most
 * common one, and its parser says in which line what is wrong.
 */
export function formatOf(
  file: Uint8Array,
  formats: readonly [StatementFormat, ...StatementFormat[]] = statementFormats,
): StatementFormat {
  const text = Buffer.from(file.subarray(0, beginningBytes)).toString('latin1')
  return formats.find(({ beginning }) => text.search(beginning) === 0) ?? formats[0]
}

// The XML declaration, comments and the root element's namespaces fit in this many bytes.
const beginningBytes = 4_096

/** Detects the format of an uploaded file. Its first piece is longer than the beginning. */
export async function detectStatementFormat(file: Pick<SpooledFile, 'read'>): Promise<StatementFormat> {
  for await (const piece of file.read()) return formatOf(piece)
  return statementFormats[0]
}

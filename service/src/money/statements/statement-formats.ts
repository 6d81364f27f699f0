import type { SpooledFile } from '../../platform/api/declare/spool.ts'
import { readCamt053 } from './read-camt053.ts'
import type { StatementPart } from './statement-parts.ts'

export interface StatementFormat {
  /** Name for descriptions, such as "camt.053 (version 001.02 or newer, UTF-8)". */
  readonly name: string
  /** Content types of an upload, the usual one first. */
  readonly mediaTypes: readonly string[]
  /** Matches the beginning of a file in this format: the namespace of the root element, or a fixed first line. */
  readonly pattern: RegExp
  /** Throws statementFileError() for a file that it cannot read. Must not load the whole file into memory. */
  readonly read: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<readonly StatementPart[]>
}

const camt053: StatementFormat = {
  name: 'camt.053 (version 001.02 or newer, UTF-8)',
  mediaTypes: ['application/xml', 'text/xml'],
  pattern: /urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d/,
  read: readCamt053,
}

/**
 * All supported file formats. To add one: write its parser in a new file, add a line here, a test in
 * statement-formats.test.ts, and a row in docs/payments.md.
 */
export const statementFormats: readonly [StatementFormat, ...StatementFormat[]] = [camt053]

/**
 * Detects a file's format by its beginning. A file that matches none is passed to the first format: it is the most
 * common one, and its parser says in which line what is wrong.
 */
export async function detectStatementFormat(
  file: Pick<SpooledFile, 'read'>,
  formats: readonly [StatementFormat, ...StatementFormat[]] = statementFormats,
): Promise<StatementFormat> {
  const beginning = await readBeginning(file)
  return formats.find(({ pattern }) => pattern.test(beginning)) ?? formats[0]
}

// The XML declaration, comments and the root element's namespaces fit in this many bytes.
const beginningBytes = 4_096

async function readBeginning(file: Pick<SpooledFile, 'read'>): Promise<string> {
  for await (const piece of file.read()) return Buffer.from(piece.subarray(0, beginningBytes)).toString('latin1')
  return ''
}

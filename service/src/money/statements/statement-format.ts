import type { FileType } from '../../platform/api/declare/file-response.ts'
import type { StatementPart } from './statement-parts.ts'

/** A file format of bank statements. Its parser's file exports it, and `statement-formats.ts` lists it. */
export interface StatementFormat {
  /** Name for descriptions, such as "camt.053 (version 001.02 or newer, UTF-8)". */
  readonly name: string
  /** Content types of an upload. The first is that of a download. */
  readonly mediaTypes: readonly [FileType, ...string[]]
  /** Ending of the name of a downloaded file, such as "xml". */
  readonly fileEnding: string
  /**
   * Matches the first bytes of a file in this format, read as Latin-1: up to the namespace of the root element, or a
   * fixed first line. A match further on does not count, because a payer may write anything there.
   */
  readonly beginning: RegExp
  /**
   * Yields the parts of the file's statements. Throws `statementFileError()` for a file that it cannot read or that is
   * not UTF-8. Must not load the whole file into memory.
   */
  readonly read: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<readonly StatementPart[]>
}

import type { HolderRow } from '../../tokens/register/holder.sql.ts'
import { extractPdf } from './extract-pdf.ts'
import { csvRows, csvStart, jsonEnd, jsonRows, jsonStart } from './extract-text.ts'
import type { ExtractScope, RegisterFacts } from './register-facts.ts'

export type ExtractFormat = 'json' | 'csv' | 'pdf'

/** Renders the whole file, for few rows. `fileEncodings` says how its bytes become text. */
export async function renderExtract(
  format: ExtractFormat,
  rows: readonly HolderRow[],
  facts: RegisterFacts,
  scope: ExtractScope,
): Promise<string> {
  switch (format) {
    case 'json':
      return jsonStart(facts, scope) + jsonRows(rows, { facts, scope, isFirst: true }) + jsonEnd(rows.length)
    case 'csv':
      return csvStart(scope) + csvRows(rows, facts, scope)
    case 'pdf':
      return extractPdf(rows, facts, scope)
  }
}

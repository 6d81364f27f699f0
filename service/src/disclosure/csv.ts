export type Cell = string | null

/** Lines of RFC 4180: separated by commas, ended by CRLF. Every cell is quoted, except numbers and absent ones. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(cell: Cell): string {
  if (cell === null || plainNumber.test(cell)) return cell ?? ''
  return `"${withoutFormulas(cell).replaceAll('"', '""')}"`
}

/**
 * A spreadsheet runs a cell that begins like a formula, which can send the whole sheet to a stranger; names and
 * references come from strangers. An apostrophe in front makes it text. Many spreadsheets split lines at semicolons,
 * and then ignore quotes inside of a line, so a formula can also begin after any separator within a cell.
 */
function withoutFormulas(cell: string): string {
  const parts = cell.split(/([,;\t\r\n])/)
  const text = parts.map((part) => (startsFormula.test(part) ? `'${part}` : part)).join('')
  return startsBlank.test(text) ? `'${text}` : text
}

// Full-width forms, which some spreadsheets accept, and formulas behind removable characters such as quotes, count too.
const startsFormula = /^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u
const startsBlank = /^[\t\r\n]/
const plainNumber = /^-?\d+(\.\d+)?$/

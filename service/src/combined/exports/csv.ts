export type Cell = string | null

/** Lines of RFC 4180: separated by commas, ended by CRLF, cells quoted where they must be. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

/**
 * A spreadsheet runs a cell that begins with one of these as a formula, which can send the whole sheet to a stranger;
 * names and references come from strangers. An apostrophe in front makes it text. A plain number stays a number.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (startsFormula.test(cell) && !plainNumber.test(cell)) return quoted(`'${cell}`)
  return needsQuotes.test(cell) ? quoted(cell) : cell
}

// The full-width forms too, which some spreadsheets accept.
const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^-?\d+(\.\d+)?$/
const needsQuotes = /[",\r\n]|^\s|\s$/

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { type Pen, penOn } from './pdf-pen.ts'

/** A report: facts and a note, then a table that continues over pages. */
export interface PdfReport {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly note: string
  /** Widths in points. A page has room for 769, including 8 between each two columns. */
  readonly columns: readonly { readonly title: string; readonly width: number; readonly isNumber?: boolean }[]
  readonly rows: readonly (readonly string[])[]
  /** Text below each page, before its number. */
  readonly footer: string
  readonly createdAt: Date
}

/** Texts with their distance from the left margin. A number ends there. */
type Line = 'rule' | readonly { readonly text: string; readonly x: number; readonly isNumber?: boolean | undefined }[]

// A4 landscape, in points.
const page = { width: 841.89, height: 595.28, margin: 36 }
const pageWidth = page.width - 2 * page.margin
const titleSize = 11
const size = 7
const lineHeight = 9.5
const columnGap = 8
const labelWidth = 64
/** Other work gets a turn after this many rows. */
const batchRows = 50

/** Writes a PDF whose text can be searched and copied. Equal reports have equal bytes. */
export async function pdfOf(report: PdfReport): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    fontLayoutCache: false,
    font: '', // By default pdfkit loads Helvetica.
    info: { Title: report.title, CreationDate: report.createdAt },
  })
  const bytes = buffer(document)
  const pen = await penOn(document)
  const title = pen.wrapped(report.title, pageWidth, titleSize)
  const top = page.margin + 1.5 * title.length * lineHeight
  const pages = await layOut(report, pen, Math.floor((page.height - page.margin - top) / lineHeight))
  for (const [index, lines] of pages.entries()) {
    document.addPage()
    for (const [at, line] of title.entries())
      pen.write(line, { x: page.margin, y: page.margin + 1.5 * at * lineHeight, size: titleSize })
    for (const [at, line] of lines.entries()) drawLine(pen, line, top + at * lineHeight)
    const footer = `${report.footer}  ${index + 1} / ${pages.length}`
    pen.write(footer, { x: page.margin, y: page.height - page.margin + lineHeight, size })
    await setImmediate()
  }
  document.end()
  return bytes
}

function drawLine(pen: Pen, line: Line, y: number): void {
  if (line === 'rule') pen.rule({ x: page.margin, y: y - lineHeight / 2, width: pageWidth })
  else for (const { text, x, isNumber } of line) pen.write(text, { x: page.margin + x, y, size, isNumber })
}

/** Returns the lines of each page. No row is split over two pages, and each page repeats the titles of the columns. */
async function layOut({ facts, note, rows, ...report }: PdfReport, pen: Pen, linesMax: number): Promise<Line[][]> {
  const factLines = facts.flatMap(([label, value]) =>
    pen.wrapped(value, pageWidth - labelWidth, size).map((text, index) => [
      { text: index === 0 ? label : '', x: 0 },
      { text, x: labelWidth },
    ]),
  )
  const noteLines = pen.wrapped(note, pageWidth, size).map((text) => [{ text, x: 0 }])
  const columns = placed(report.columns)
  const titles = columns.map(({ title }) => title)
  const head: Line[] = [...linesOfRow(columns, titles, pen), 'rule']
  const pages: Line[][] = []
  let current: Line[] = [...factLines, ...noteLines, [], ...head]
  for (const [index, row] of rows.entries()) {
    if (index % batchRows === 0) await setImmediate()
    const added = linesOfRow(columns, row, pen)
    if (current.length + added.length > linesMax) {
      pages.push(current)
      current = [...head]
    }
    current.push(...added)
  }
  return [...pages, current]
}

type PlacedColumn = PdfReport['columns'][number] & { readonly x: number }

function placed(columns: PdfReport['columns']): PlacedColumn[] {
  let left = 0
  return columns.map((column) => {
    const x = column.isNumber ? left + column.width : left
    left += column.width + columnGap
    return { ...column, x }
  })
}

/** Continues a cell that is wider than its column on the next line: nothing is cut off. */
function linesOfRow(columns: readonly PlacedColumn[], cells: readonly string[], pen: Pen): Line[] {
  const texts = columns.map(({ width }, index) => pen.wrapped(cells[index] ?? '', width, size))
  const height = Math.max(...texts.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) =>
    columns.map(({ x, isNumber }, index) => ({ text: texts[index]?.[at] ?? '', x, isNumber })),
  )
}

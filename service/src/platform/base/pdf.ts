/** A report: lines of text, then a table that continues over pages. */
export interface PdfReport {
  readonly title: string
  readonly lines: readonly string[]
  /** Widths in characters. All cells are set in Courier, whose characters are equally wide. */
  readonly columns: readonly { readonly title: string; readonly width: number; readonly isNumber?: boolean }[]
  readonly rows: readonly (readonly string[])[]
  /** Text below each page, before its number. */
  readonly footer: string
  readonly createdAt: Date
}

// A4 landscape, in points. A Courier character is 0.6 times as wide as its font size.
const page = { width: 842, height: 595, margin: 36 }
const size = 7
const characterWidth = size * 0.6
const lineHeight = 9.5
const lineMax = Math.floor((page.width - 2 * page.margin) / characterWidth)
const linesOfPage = Math.floor((page.height - 2 * page.margin - 3 * lineHeight) / lineHeight)

/**
 * Writes a PDF 1.7 file of plain ASCII, so that its characters are its bytes. Uses the standard fonts Courier and
 * Helvetica, which every reader has, and their WinAnsi encoding. A character outside it is shown as `?`, with the true
 * text beside it as ActualText, which readers use to copy, search and read aloud.
 */
export function pdfOf(report: PdfReport): string {
  const pages = layOut(report)
  const pageId = (index: number) => 6 + 2 * index
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageId(index)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Title <${utf16(report.title)}> /CreationDate (${pdfTime(report.createdAt)}) >>`,
    ...pages.flatMap((lines, index) => {
      const content = contentOf(lines, report, `${index + 1} / ${pages.length}`)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] ` +
          `/Contents ${pageId(index) + 1} 0 R ` +
          '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  return fileOf(objects)
}

/** Joins the objects, and appends the table with the byte offset of each. */
function fileOf(objects: readonly string[]): string {
  const parts = ['%PDF-1.7\n']
  const offsets: number[] = []
  let offset = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const part = `${index + 1} 0 obj\n${object}\nendobj\n`
    offsets.push(offset)
    parts.push(part)
    offset += part.length
  }
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`)
  const count = objects.length + 1
  parts.push(
    `xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`,
    `trailer\n<< /Size ${count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${offset}\n%%EOF\n`,
  )
  return parts.join('')
}

/** Returns the lines of each page. No row is split over two pages, and each page repeats the titles of the columns. */
function layOut({ lines, columns, rows }: PdfReport): string[][] {
  const rule = '-'.repeat(
    Math.min(
      lineMax,
      columns.reduce((sum, { width }) => sum + width + 1, -1),
    ),
  )
  const titles = [
    ...linesOfRow(
      columns,
      columns.map(({ title }) => title),
    ),
    rule,
  ]
  const pages: string[][] = []
  let current = [...lines.flatMap((line) => wrapped(line, lineMax)), '', ...titles]
  for (const row of rows) {
    const added = linesOfRow(columns, row)
    if (current.length + added.length > linesOfPage) {
      pages.push(current)
      current = [...titles]
    }
    current.push(...added)
  }
  return [...pages, current]
}

/** Continues a cell that is wider than its column on the next line: nothing is cut off. */
function linesOfRow(columns: PdfReport['columns'], cells: readonly string[]): string[] {
  const parts = columns.map(({ width }, index) => wrapped(cells[index] ?? '', width))
  const height = Math.max(...parts.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map(({ width, isNumber }, index) => {
        const text = parts[index]?.[line] ?? ''
        const space = ' '.repeat(width - [...text].length)
        return isNumber ? space + text : text + space
      })
      .join(' ')
      .trimEnd(),
  )
}

function wrapped(text: string, width: number): string[] {
  const characters = [...text.normalize('NFC').replaceAll(/\p{Cc}/gu, ' ')]
  if (characters.length === 0) return ['']
  const lines: string[] = []
  for (let start = 0; start < characters.length; start += width) {
    lines.push(characters.slice(start, start + width).join(''))
  }
  return lines
}

function contentOf(lines: readonly string[], { title, footer }: PdfReport, number: string): string {
  const top = page.height - page.margin
  return [
    `BT /F2 11 Tf ${page.margin} ${top} Td ${shown(title)} ET`,
    `BT /F1 ${size} Tf ${lineHeight} TL ${page.margin} ${top - 2 * lineHeight} Td`,
    ...lines.map((line) => `${shown(line)} T*`),
    'ET',
    `BT /F1 ${size} Tf ${page.margin} ${page.margin - lineHeight} Td ${shown(`${footer}  ${number}`)} ET`,
  ].join('\n')
}

/** Returns the operators that show a text. */
function shown(text: string): string {
  const codes = [...text].map(winAnsiCode)
  const literal = codes.map((code) => literalOf(code ?? 0x3f)).join('')
  if (!codes.includes(undefined)) return `(${literal}) Tj`
  return `/Span << /ActualText <${utf16(text)}> >> BDC (${literal}) Tj EMC`
}

function literalOf(code: number): string {
  const character = String.fromCharCode(code)
  if ('()\\'.includes(character)) return `\\${character}`
  return code < 0x7f ? character : `\\${code.toString(8)}`
}

// The characters of WinAnsi from 0x80 on whose Unicode code point differs; a space is unused.
const high = [...'€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ']

function winAnsiCode(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return code
  const index = high.indexOf(character)
  return index < 0 ? undefined : 0x80 + index
}

/** Encodes as UTF-16 with its byte order mark, in hexadecimal. */
function utf16(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex').toUpperCase()
}

function pdfTime(at: Date): string {
  return `D:${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`
}

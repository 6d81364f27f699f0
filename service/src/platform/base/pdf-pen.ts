import { clusters, openFonts } from './pdf-fonts.ts'

/** Measures text, and writes it on the current page. */
export interface Pen {
  /** Breaks text into lines, after a space if there is one. */
  readonly wrapped: (text: string, width: number, size: number) => string[]
  /** Writes above the baseline `y`. A number ends at `x`. */
  readonly write: (text: string, at: { x: number; y: number; size: number; isNumber?: boolean | undefined }) => void
  readonly rule: (at: { x: number; y: number; width: number }) => void
}

export async function penOn(document: PDFKit.PDFDocument): Promise<Pen> {
  // The types of pdfkit lack its fonts that are already open.
  const runsOf = await openFonts((name, font) => document.registerFont(name, font as never))
  const widthOf = (text: string, size: number) =>
    runsOf(text).reduce((sum, run) => sum + document.font(run.font, size).widthOfString(run.text), 0)
  return {
    wrapped: (text, width, size) => {
      const whole = text.normalize('NFC').replaceAll(/\p{Cc}/gu, ' ')
      if (widthOf(whole, size) <= width) return [whole]
      const lines: string[] = []
      let line = ''
      for (const { segment } of clusters.segment(whole)) {
        if (line !== '' && widthOf(line + segment, size) > width) {
          const end = line.lastIndexOf(' ') + 1 || line.length
          lines.push(line.slice(0, end))
          line = line.slice(end)
        }
        line += segment
      }
      return [...lines, line]
    },
    write: (text, { x, y, size, isNumber }) => {
      let left = isNumber ? x - widthOf(text, size) : x
      for (const { font, text: part, actual } of runsOf(text)) {
        document.font(font, size)
        if (actual !== undefined) document.markContent('Span', { actual })
        document.text(part, left, y, { lineBreak: false, baseline: 'alphabetic' })
        if (actual !== undefined) document.endMarkedContent()
        left = document.x
      }
    },
    rule: ({ x, y, width }) => {
      document
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.5)
        .stroke()
    },
  }
}

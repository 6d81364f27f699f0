import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PdfReport, pdfOf } from './pdf.ts'

const report = (rows: string[][]): PdfReport => ({
  title: 'Register extract: Müller (Bond)',
  lines: ['ISIN US0378331005'],
  columns: [
    { title: 'Holder', width: 20 },
    { title: 'Units', width: 12, isNumber: true },
  ],
  rows,
  footer: 'Block 7',
  createdAt: new Date('2026-07-02T10:00:00.000Z'),
})

/** Reads a file like a PDF reader: from its end to the table of offsets, and from there to each object. */
function parse(pdf: string): { objects: string[]; pages: string[] } {
  assert.match(pdf, /^%PDF-1\.7\n[\n -~]*%%EOF\n$/, 'ASCII only: characters are bytes')
  const [, start] = /startxref\n(\d+)\n%%EOF\n$/.exec(pdf) ?? []
  const table = pdf.slice(Number(start))
  const [, count] = /^xref\n0 (\d+)\n0000000000 65535 f \n/.exec(table) ?? []
  const entries = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  assert.equal(entries.length, Number(count) - 1)
  const objects = entries.map((offset, index) => {
    const object = pdf.slice(offset, pdf.indexOf('\nendobj\n', offset))
    assert.ok(object.startsWith(`${index + 1} 0 obj\n`), `object ${index + 1}`)
    const [head, length, content] = /\/Length (\d+) >>\nstream\n(.*)\nendstream$/s.exec(object) ?? []
    if (head) assert.equal(content?.length, Number(length), `stream ${index + 1}`)
    return object
  })
  const [, kids = ''] = /\/Kids \[([^\]]*)\]/.exec(objects[1] ?? '') ?? []
  const pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => {
    const [, content] = /\/Contents (\d+) 0 R/.exec(objects[Number(id) - 1] ?? '') ?? []
    return objects[Number(content) - 1] ?? ''
  })
  return { objects, pages }
}

test('every object is where the table says, on every page, and each page has its number', () => {
  const rows = Array.from({ length: 400 }, (_, index) => [`Holder ${index}`, String(index * 7)])
  const { pages } = parse(pdfOf(report(rows)))
  assert.ok(pages.length > 5)
  for (const [index, page] of pages.entries()) {
    assert.ok(page.includes(`(Block 7  ${index + 1} / ${pages.length}) Tj`))
    assert.match(page, /\(Holder {14} {8}Units\) Tj T\*/)
  }
  const all = pages.join('')
  for (const [name = '', units = ''] of rows)
    assert.ok(all.includes(`(${name.padEnd(20)} ${units.padStart(12)}) Tj T*`), name)
})

test('a cell that is wider than its column continues on the next line', () => {
  const [page = ''] = parse(pdfOf(report([['A name that does not fit into it', '1']]))).pages
  assert.ok(page.includes(`(A name that does not            1) Tj T*\n( fit into it) Tj T*`), page)
})

test('parentheses, backslashes, control characters and WinAnsi characters are escaped', () => {
  const [page = ''] = parse(pdfOf(report([['(a) \\ €ü\n) Tj ET', '1']]))).pages
  assert.ok(page.includes('(\\(a\\) \\\\ \\200\\374 \\) Tj ET'), page)
})

test('a character missing from the font becomes a question mark, with the true text beside it', () => {
  const name = 'Łódź 山田😀'
  const [page = ''] = parse(pdfOf(report([[name, '1']]))).pages
  assert.ok(page.includes('BDC (?\\363d? ???'), page)
  const [, hex = ''] = /ActualText <FEFF([0-9A-F]+)>/.exec(page) ?? []
  assert.ok(Buffer.from(hex, 'hex').swap16().toString('utf16le').startsWith(name))
})

test('a report without rows is one page', () => {
  assert.equal(parse(pdfOf(report([]))).pages.length, 1)
})

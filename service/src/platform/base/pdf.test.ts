import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inflateSync } from 'node:zlib'
import { readPdfPages } from '../../../test/harness/data/pdf-pages.ts'
import { type PdfReport, pdfOf } from './pdf.ts'

const report = (rows: string[][], title = 'Register extract: Łódź (王)'): PdfReport => ({
  title,
  facts: [['ISIN', 'US0378331005']],
  note: 'A note',
  columns: [
    { title: 'Holder', width: 120 },
    { title: 'Units', width: 60, isNumber: true },
  ],
  rows,
  footer: 'Block 7',
  createdAt: new Date('2026-07-02T10:00:00.000Z'),
})
const read = async (rows: string[][]) => readPdfPages(await pdfOf(report(rows)))

/** Returns the instructions that draw the pages. */
function contentOf(file: Buffer): string {
  const streams = file
    .toString('latin1')
    .matchAll(/\/Length \d+\n\/Filter \/FlateDecode\n>>\nstream\n(.*?)\nendstream/gs)
  return Array.from(streams, ([, bytes = '']) => inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')).join('')
}

test('every row is on one page, and each page has the titles and its number', async () => {
  const rows = Array.from({ length: 400 }, (_, index) => [`Holder ${index}`, String(index * 7)])
  const pages = await read(rows)
  assert.ok(pages.length > 5)
  assert.deepEqual(pages[0]?.slice(0, 3), ['Register extract: Łódź (王)', 'ISIN US0378331005', 'A note'])
  for (const [index, lines] of pages.entries()) {
    assert.ok(lines.includes('Holder Units'))
    assert.equal(lines.at(-1), `Block 7 ${index + 1} / ${pages.length}`)
  }
  const read400 = pages.flat().filter((line) => /^Holder \d/.test(line))
  assert.deepEqual(
    read400,
    rows.map((row) => row.join(' ')),
  )
})

test('names of any of these scripts are read as they were written', async () => {
  const names = [
    'Łukasz Wójcik',
    'Ștefan Țurcanu',
    'Nguyễn Thị Ánh Thơ',
    'Ελένη Παπαδοπούλου',
    'Дмитрий Шостакович',
    '王小明',
    '김민준',
    '山田 太郎 髙橋 ひろし',
    'Anna 王 Schmidt',
    'Çağla İnönü Şahin',
    'J̌ān M̄x̂',
    'Zoë O’Neill & Søns (a) \\ €ü',
  ]
  const [lines = []] = await read(names.map((name) => [name, '1']))
  const numbered = lines.slice(0, -1).filter((line) => line.endsWith(' 1'))
  const expected = names.map((name) => `${name} 1`)
  assert.deepEqual(numbered, expected)
})

test('accents become part of their letters, and control characters become spaces', async () => {
  const [lines = []] = await read([['Jose\u0301\nMun\u0303oz', '1']])
  assert.ok(lines.includes('José Muñoz 1'), lines.join('\n'))
})

test('a cell that is wider than its column continues on the next line', async () => {
  const [lines = []] = await read([
    ['A holder whose name needs a second line', '1'],
    ['x'.repeat(50), '9'.repeat(20)],
  ])
  const rest = lines.slice(lines.indexOf('Holder Units') + 1, -1)
  assert.deepEqual(rest.slice(0, 2), ['A holder whose name needs a 1', 'second line'])
  const [first = '', second = ''] = rest.slice(2)
  assert.equal((first + second).replaceAll(/[^x]/g, '').length, 50)
  assert.equal((first + second).replaceAll(/[^9]/g, '').length, 20)
})

test('a character that no font has becomes a question mark, with the true text beside it', async () => {
  const file = await pdfOf(report([['😀 שרה', '1']]))
  const [lines = []] = await readPdfPages(file)
  assert.ok(lines.includes('? ??? 1'), lines.join('\n'))
  for (const character of ['😀', 'ש', 'ר', 'ה']) {
    const actual = Buffer.from(`\ufeff${character}`, 'utf16le').swap16().toString('latin1')
    assert.ok(contentOf(file).includes(`/ActualText (${actual})`), character)
  }
})

test('equal reports have equal bytes, whatever was written before', async () => {
  const rows = [['Łukasz 王 i\u0323', '1']]
  const file = await pdfOf(report(rows))
  await pdfOf(report([['ị 王小明 J̌', '2']], 'Another'))
  assert.ok(file.equals(await pdfOf(report(rows))))
})

test('other work gets a turn for each page and each 50 rows', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => [`Holder ${index}`, '1'])
  let turns = 0
  let isWritten = false
  const written = pdfOf(report(rows)).finally(() => {
    isWritten = true
  })
  while (!isWritten) {
    await setImmediate()
    turns += 1
  }
  const pages = await readPdfPages(await written)
  assert.ok(turns >= pages.length + rows.length / 50, `${turns} turns for ${pages.length} pages`)
})

test('a report without rows is one page', async () => {
  assert.equal((await read([])).length, 1)
})

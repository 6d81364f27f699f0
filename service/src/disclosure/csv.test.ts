import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Cell, csvLines } from './csv.ts'

test('lines end with CRLF; every text is quoted (RFC 4180), and numbers are not', () => {
  assert.equal(
    csvLines([
      ['a', 'b,c', 'd"e', 'f\ng', null, ''],
      ['ä', ' x', '1.50', '-3', '0x1', 'y'],
    ]),
    '"a","b,c","d""e","f\ng",,""\r\n"ä"," x",1.50,-3,"0x1","y"\r\n',
  )
})

test('a text that a spreadsheet would run as a formula begins with an apostrophe', () => {
  for (const formula of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '＝1', ' =1', '\u00a0=1', '=HYPERLINK("http://x","y")'])
    assert.ok(csvLines([[formula]]).startsWith(`"'${formula[0]}`), JSON.stringify(formula))
  assert.equal(csvLines([['\t=1', '\n=1']]), `"'\t'=1","'\n'=1"\r\n`)
  assert.equal(csvLines([['a=1', '1-2']]), '"a=1","1-2"\r\n')
})

test('so does each part of a text behind a separator', () => {
  assert.equal(csvLines([["Max;=cmd|'/C calc'!A0;x"]]), `"Max;'=cmd|'/C calc'!A0;x"\r\n`)
  assert.equal(csvLines([['a;"=1"', 'b\n@x', 'c\t+1+1']]), `"a;'""=1""","b\n'@x","c\t'+1+1"\r\n`)
  assert.equal(csvLines([['a;-5;b', 'Smith, Ann']]), `"a;'-5;b","Smith, Ann"\r\n`)
})

/**
 * Splits a line into cells as a spreadsheet does. Quotes count at the start of a cell only; text after the closing
 * quote belongs to the same cell.
 */
function spreadsheetCells(text: string, separators: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      at += 1
      while (at < text.length && !(text[at] === '"' && text[at + 1] !== '"')) {
        cell += text[at]
        at += text[at] === '"' ? 2 : 1
      }
      at += 1
    }
    while (at < text.length && !`${separators}\r\n`.includes(text[at] as string)) {
      cell += text[at]
      at += 1
    }
    cells.push(cell)
    at += 1
  }
  return cells
}

describe('cells with any content', () => {
  const pieces = [
    '=',
    '+',
    '-',
    '@',
    ';',
    ',',
    '\t',
    '\r',
    '\n',
    '"',
    "'",
    ' ',
    '\u00a0',
    '＝',
    '1',
    '2.5',
    'a',
    '|',
    ':',
  ]
  const piece = fc.constantFrom(...pieces)
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((chosen) => chosen.join('')),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  const rows = fc.array(fc.array(fc.option(text), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  // A number is not quoted, so one at the start of a line is followed by a comma, and no formula is. A reader that
  // mistakes the end of a cell for the start of the next also reads the line break before it.
  const isNumber = (cell: string) => /^[\s"]*-\d+(\.\d+)?(,|$)/.test(cell)
  const numRuns = 20_000

  for (const separators of [',', ';', '\t', ',;\t'])
    test(`no cell is a formula in a spreadsheet that splits at ${JSON.stringify(separators)}`, () => {
      fc.assert(
        fc.property(rows, (cells) => {
          for (const cell of spreadsheetCells(csvLines(cells), separators))
            if (!isNumber(cell)) assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝＋－＠]/u, JSON.stringify(cell))
        }),
        { numRuns },
      )
    })

  test('a reader of RFC 4180 gets each cell back, except for the apostrophes', () => {
    const bare = (cell: Cell) => (cell ?? '').replaceAll("'", '')
    fc.assert(
      fc.property(rows, (cells) => {
        const read = spreadsheetCells(csvLines(cells), ',').map(bare)
        assert.deepEqual(read.filter(Boolean), cells.flat().map(bare).filter(Boolean))
      }),
    )
  })

  test('a number is not quoted', () => {
    fc.assert(
      fc.property(fc.bigInt(), (number) => {
        assert.equal(csvLines([[String(number), `${number}.50`]]), `${number},${number}.50\r\n`)
      }),
    )
  })
})

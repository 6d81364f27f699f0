import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines } from './csv.ts'

test('lines end with CRLF, and cells with a comma, a quote or a line break are quoted (RFC 4180)', () => {
  assert.equal(
    csvLines([
      ['a', 'b,c', 'd"e', 'f\ng', null, ''],
      ['ä', ' x', '1.50', '-3', '0x1', 'y'],
    ]),
    'a,"b,c","d""e","f\ng",,\r\nä," x",1.50,-3,0x1,y\r\n',
  )
})

test('a cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  const formulas = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '=HYPERLINK("http://x","y")']
  for (const formula of formulas)
    assert.equal(csvLines([[formula]]), `"'${formula.replaceAll('"', '""')}"\r\n`, JSON.stringify(formula))
  assert.equal(csvLines([['a=1', '1-2']]), 'a=1,1-2\r\n')
})

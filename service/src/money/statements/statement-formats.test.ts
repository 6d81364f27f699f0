import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { camt053 } from '../../../test/harness/money/camt053.ts'
import type { StatementFormat } from './statement-format.ts'
import { detectStatementFormat, formatOf, statementFormats } from './statement-formats.ts'
import { statementUpload } from './statement-upload.ts'

/** A second format, to show that detection works with more than one. */
const mt940: StatementFormat = {
  name: 'MT940',
  mediaTypes: ['text/plain'],
  fileEnding: 'sta',
  beginning: /\{1:F01|:20:/,
  async *read() {
    yield []
  },
}

describe('statement formats', () => {
  const [camt] = statementFormats
  const detect = (text: string) => formatOf(Buffer.from(text), [camt, mt940]).name

  test('a file is read by the format that its beginning matches', () => {
    assert.equal(detect(camt053({ entries: [] })), camt.name)
    assert.equal(detect(camt053({ entries: [], version: '02', prefix: 'ns2' })), camt.name)
    assert.equal(detect(':20:STARTUMS\n:25:DE89370400440532013000\n'), mt940.name)
  })

  test('a byte order mark, white space, comments and instructions may precede the root element', () => {
    const declaration = '\uFEFF<?xml version="1.0"?>\r\n<!-- a bank\n --> <?bank a?>'
    const formats = [mt940, camt] as const
    assert.equal(formatOf(Buffer.from(camt053({ entries: [], declaration })), formats).name, camt.name)
  })

  test('the beginning of one format inside another one, such as in a text of a payer, does not count', () => {
    const uri = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
    for (const text of [uri, `<Document xmlns="${uri}">`, `"${uri}"`])
      assert.equal(detect(`:20:STARTUMS\n:86:${text}\n`), mt940.name)
    assert.equal(detect(camt053({ entries: [], declaration: '<?xml version="1.0"?><!-- :20: {1:F01 -->' })), camt.name)
    const other = `<Other xmlns="urn:other"><Text>${uri}</Text></Other>`
    assert.equal(formatOf(Buffer.from(other), [mt940, camt]).name, mt940.name)
  })

  test('the format of an uploaded file is that of its first piece', async () => {
    const read = async function* () {
      yield Buffer.from(camt053({ entries: [] }))
    }
    assert.equal(await detectStatementFormat({ read }), camt)
  })

  test('a file that matches no format goes to the first format, whose parser reports the problem', () => {
    for (const text of ['', 'not a statement', '<html xmlns="http://www.w3.org/1999/xhtml"/>'])
      assert.equal(detect(text), camt.name)
  })

  test('an upload accepts the media types of all formats and names all formats', () => {
    for (const { name, mediaTypes } of statementFormats) {
      assert.ok(statementUpload.description.includes(name))
      for (const type of mediaTypes) assert.ok(statementUpload.mediaTypes.includes(type))
    }
  })

  test('docs/payments.md has a row for each format', () => {
    const document = readFileSync(new URL('../../../../docs/payments.md', import.meta.url), 'utf8')
    for (const { name, mediaTypes } of statementFormats) {
      const [word = ''] = name.split(' ')
      const row = document.split('\n').find((line) => line.startsWith(`| ${word}`))
      for (const type of mediaTypes) assert.ok(row?.includes(`\`${type}\``), `${word} ${type}`)
    }
  })
})

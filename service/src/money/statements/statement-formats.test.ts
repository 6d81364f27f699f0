import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { camt053 } from '../../../test/harness/money/camt053.ts'
import { detectStatementFormat, type StatementFormat, statementFormats } from './statement-formats.ts'
import { statementUpload } from './statement-upload.ts'

/** A second format, to show that detection works with more than one. */
const mt940: StatementFormat = {
  name: 'MT940',
  mediaTypes: ['text/plain'],
  pattern: /^\{1:F01|^:20:/,
  async *read() {
    yield []
  },
}

function fileOf(text: string, pieceLength = text.length) {
  return {
    async *read() {
      for (let start = 0; start < text.length; start += pieceLength)
        yield Buffer.from(text.slice(start, start + pieceLength))
    },
  }
}

describe('statement formats', () => {
  const [camt] = statementFormats
  const detect = async (text: string) => (await detectStatementFormat(fileOf(text), [camt, mt940])).name

  test('a file is read by the format that its beginning matches', async () => {
    assert.equal(await detect(camt053({ entries: [] })), camt.name)
    assert.equal(await detect(camt053({ entries: [], version: '02', prefix: 'ns2' })), camt.name)
    assert.equal(await detect(':20:STARTUMS\n:25:DE89370400440532013000\n'), mt940.name)
  })

  test('a file that matches no format goes to the first format, whose parser reports the problem', async () => {
    for (const text of ['', 'not a statement', '<html xmlns="http://www.w3.org/1999/xhtml"/>'])
      assert.equal(await detect(text), camt.name)
  })

  test('an upload accepts the media types of all formats and names all formats', () => {
    for (const { name, mediaTypes } of statementFormats) {
      assert.ok(statementUpload.description.includes(name))
      for (const type of mediaTypes) assert.ok(statementUpload.mediaTypes.includes(type))
    }
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { camt053, camt053Pieces } from '../../../test/harness/camt053.ts'
import { Fixtures } from '../../../test/harness/fixtures.ts'
import { type RunningApi, TestInstallation, type TestOperator } from '../../../test/harness/service.ts'
import { camtBounds, readCamt053 } from './read-camt053.ts'

const mib = 1024 * 1024
const good = camt053({ entries: Array.from({ length: 20 }, () => ({ amount: '1.00', text: 'für Ärger' })) })
const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const withDoctype = (doctype: string, text = '') =>
  camt053({ declaration: `${declaration}${doctype}`, entries: [{ amount: '1.00', text: 'MARK' }] }).replace(
    'MARK',
    text,
  )

/** Bytes of one kind without an end, until enough of them have been sent. */
function* endless(start: string, piece: string, bytes: number): Generator<string> {
  yield start
  const block = piece.repeat(Math.ceil(65_536 / piece.length))
  for (let sent = 0; sent < bytes; sent += block.length) yield block
}

describe('files that mean no good', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operator: TestOperator
  let uploads: string
  let highest: number

  before(async () => {
    uploads = await mkdtemp(join(tmpdir(), 'uploads-'))
    installation = await TestInstallation.create()
    api = await installation.startOperatorApi({ TMPDIR: uploads })
    const tenantId = await installation.createTenant('T')
    operator = await installation.createOperator(tenantId, { role: 'operator' })
    await new Fixtures(installation).offering(tenantId)
    // What a process takes that has read a good file once: code and buffers, not the file.
    await refusedOf(['not XML'])
    highest = (await memoryOf(api)) + 150 * mib
  })
  after(async () => {
    await installation.end()
    await rm(uploads, { recursive: true, force: true })
  })

  /** The most that a process has had of memory so far. */
  async function memoryOf({ process: { pid } }: RunningApi): Promise<number> {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) * 1024
  }

  /** Sends a file as a stream, of whatever length, and tells the answer, which may come before the file is at its end. */
  async function send(pieces: Iterable<string | Buffer>, headers: Record<string, string> = {}) {
    let sent = 0
    const call = request(`${api.baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/xml', ...headers },
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => call.on('response', resolve).on('error', reject))
    let isAnswered = false
    answered.then(
      () => (isAnswered = true),
      () => (isAnswered = true),
    )
    for (const piece of pieces) {
      if (isAnswered) break
      sent += piece.length
      if (!call.write(piece))
        await Promise.race([new Promise((resolve) => call.once('drain', resolve)), answered.catch(() => undefined)])
    }
    if (!isAnswered) call.end()
    const response = await answered
    let text = ''
    for await (const piece of response) text += String(piece)
    call.destroy()
    return {
      status: response.statusCode ?? 0,
      sent,
      ...(JSON.parse(text) as { error: { code: string; message: string } }),
    }
  }

  async function refusedOf(pieces: Iterable<string | Buffer>, headers?: Record<string, string>) {
    const began = performance.now()
    const { status, error, sent } = await send(pieces, headers)
    return { status, code: error.code, message: error.message, sent, ms: performance.now() - began }
  }

  async function assertNothingLeft(): Promise<void> {
    assert.deepEqual(await readdir(uploads), [])
    const { rows } = await installation.owner((client) =>
      client.query(`select (select count(*)::int from cell.bank_statement) as statements,
                           (select count(*)::int from cell.bank_entry) as entries`),
    )
    assert.deepEqual(rows, [{ statements: 0, entries: 0 }])
  }

  const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, place) => {
    const [name, inside] = [String.fromCharCode(98 + place), String.fromCharCode(97 + place)]
    return `<!ENTITY ${name} "${`&${inside};`.repeat(10)}">`
  }).join('')}]>`
  const depth = (levels: number) => [good.slice(0, good.indexOf('<Ntry>')), '<A>'.repeat(levels)]
  const utf16 = Buffer.from(`\ufeff${good}`, 'utf16le')

  const cases: [string, RegExp, () => Iterable<string | Buffer>][] = [
    ['billion laughs', /DOCTYPE/, () => [withDoctype(laughs, '&j;')]],
    ['an entity of a file', /DOCTYPE/, () => [withDoctype('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;')]],
    ['parameter entities', /DOCTYPE/, () => [withDoctype('<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/hosts"> %p;]>')]],
    ['an empty document type', /DOCTYPE/, () => [withDoctype('<!DOCTYPE Document>')]],
    ['a document type without an end', /longer|more than|well-formed/, () => endless(`${declaration}<!DOCTYPE x [`, '<!-- -->', mib)],
    ['an entity that nobody declared', /well-formed/, () => [good.replace('für', '&nbsp;')]],
    ['bytes in ISO-8859-1', /not UTF-8/, () => [Buffer.from(good, 'latin1')]],
    ['UTF-16 with its mark', /not UTF-8/, () => [utf16]],
    ['UTF-16 without its mark', /not UTF-8|well-formed/, () => [utf16.subarray(2)]],
    ['a declared windows-1252', /another character set/, () => [good.replace('UTF-8', 'windows-1252')]],
    ['XML 1.1', /not XML 1.0/, () => [good.replace('version="1.0"', 'version="1.1"')]],
    ['a zero byte', /well-formed/, () => [good.replace('für', '\u0000')]],
    ['elements 100,000 deep', /nested more than 40 deep/, () => depth(100_000)],
    ['a text without an end', /more than 65536 characters/, () => endless(good.slice(0, good.indexOf('für')), 'a', 8 * mib)],
    ['a text in pieces without an end', /more than an entry can/, () => endless(good.slice(0, good.indexOf('für')), '<![CDATA[a]]>', 8 * mib)],
    ['a name without an end', /more than 65536 characters/, () => endless(`${depth(0).join('')}<`, 'a', 8 * mib)],
    ['an attribute without an end', /more than 65536 characters/, () => endless(`${depth(0).join('')}<A b="`, 'a', 8 * mib)],
    ['attributes without an end', /more than 20 attributes/, () => [depth(0).join(''), '<A ', Array.from({ length: 100_000 }, (_, place) => `a${place}="1"`).join(' ')]],
    ['a comment without an end', /more than 65536 characters/, () => endless(`${declaration}<!--`, ' <a> ', 8 * mib)],
    ['one entry with values without an end', /more than an entry can/, () => endless(good.slice(0, good.indexOf('<Ntry>') + 6), '<A>x</A>', 8 * mib)],
    ['JSON', /well-formed/, () => ['{"a": 1}']],
    ['another message of the family', /this is camt.052/, () => [good.replaceAll('camt.053', 'camt.052')]],
    ['somebody else\'s XML', /no bank statement/, () => ['<html xmlns="http://www.w3.org/1999/xhtml"/>']],
    ['no statement in it', /no statement \(Stmt\)/, () => [camt053({ statements: [] })]],
  ] // biome-ignore format: one row for each

  for (const [name, sentence, pieces] of cases)
    test(`${name}: refused with where and what, quickly, with nothing left behind`, async () => {
      const { status, code, message, ms } = await refusedOf(pieces())
      assert.equal(status, 400, message)
      assert.match(code, /^statement_(unreadable|format_unsupported)$/)
      assert.match(message, /^Line \d+: /)
      assert.match(message, sentence)
      assert.ok(ms < 5_000, `${ms} ms`)
      assert.ok((await memoryOf(api)) < highest, 'memory')
      await assertNothingLeft()
    })

  test('an entity of an address is never asked for', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.end('secret')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    for (const doctype of [
      `<!DOCTYPE x [<!ENTITY e SYSTEM "http://127.0.0.1:${port}/">]>`,
      `<!DOCTYPE x SYSTEM "http://127.0.0.1:${port}/x.dtd">`,
      `<!DOCTYPE x [<!ENTITY % e SYSTEM "http://127.0.0.1:${port}/"> %e;]>`,
    ])
      assert.match((await refusedOf([withDoctype(doctype, '&e;')])).message, /DOCTYPE/)
    server.close()
    assert.equal(asked, 0)
  })

  test('cut off at any place, it is refused and nothing stays', async () => {
    const end = good.lastIndexOf('</Document>') + '</Document>'.length - 1
    for (let place = 1; place <= end; place += 487) {
      const { status, message } = await refusedOf([good.slice(0, place)])
      assert.equal(status, 400, `cut at ${place}: ${message}`)
    }
    const { message } = await refusedOf([good.slice(0, end)])
    assert.match(message, /^Line \d+: the file ends in the middle\. It was cut off on its way/)
    await assertNothingLeft()
  })

  test('1 GB: refused up front by its length, and while it streams when it has none', async () => {
    const upFront = await refusedOf(endless(declaration, ' ', mib), { 'content-length': String(1024 * mib) })
    assert.deepEqual([upFront.status, upFront.code], [413, 'payload_too_large'])
    assert.ok(upFront.ms < 2_000 && upFront.sent < 16 * mib, `${upFront.ms} ms, ${upFront.sent} bytes`)
    const streamed = await refusedOf(endless(declaration, ' '.repeat(65_536), 1024 * mib))
    assert.deepEqual([streamed.status, streamed.code], [413, 'payload_too_large'])
    assert.match(streamed.message, /256 MiB/)
    assert.ok(streamed.sent < 300 * mib, `${streamed.sent} bytes were taken`)
    assert.ok(streamed.ms < 30_000, `${streamed.ms} ms`)
    assert.ok((await memoryOf(api)) < highest, 'memory')
    await assertNothingLeft()
  })

  test('more entries or statements than the bounds allow are refused', async () => {
    async function* bytes(options: Parameters<typeof camt053Pieces>[0]) {
      for (const piece of camt053Pieces(options)) yield Buffer.from(piece)
    }
    const drain = async (options: Parameters<typeof camt053Pieces>[0]) => {
      for await (const _ of readCamt053(bytes(options), { ...camtBounds, movementsMax: 100, statementsMax: 3 }));
    }
    const many = (count: number) => Array.from({ length: count }, () => ({ amount: '1.00' }))
    await drain({ entries: many(100) })
    await assert.rejects(drain({ entries: many(101) }), /more than 100 entries/)
    const parts = { amount: '101.00', batch: many(101) }
    await assert.rejects(drain({ entries: [parts] }), /more than 100 entries/)
    await assert.rejects(drain({ statements: Array.from({ length: 4 }, () => ({ entries: [] })) }), /more than 3/)
    assert.equal(camtBounds.movementsMax, 1_000_000)
  })

  test('a file of many lines is no hostile one: of 2,000 entries, and of a batch of as many', async () => {
    const parts = Array.from({ length: 2_000 }, () => ({ amount: '1.00' }))
    for (const entries of [parts, [{ amount: '2000.00', batch: parts }]]) {
      const spaced = camt053({ entries }).replaceAll(/<\/(Ntry|TxDtls)>/g, (end) => end + '\n'.repeat(40))
      async function* bytes() {
        yield Buffer.from(spaced)
      }
      let movements = 0
      for await (const read of readCamt053(bytes())) movements += read.filter(({ kind }) => kind === 'movement').length
      assert.equal(movements, 2_000)
    }
  })

  test('a client that leaves in the middle leaves nothing behind', async () => {
    const leaving = request(`${api.baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/xml' },
    })
    leaving.on('error', () => undefined)
    await new Promise((resolve) => leaving.write(good.slice(0, 2_000), resolve))
    leaving.destroy()
    await writeFile(join(uploads, 'probe'), '')
    await rm(join(uploads, 'probe'))
    await assertNothingLeft()
    assert.equal((await refusedOf(['x'])).status, 400)
  })

  test('a good file is taken by the same process afterwards, with a byte order mark too', async () => {
    const { status } = await send([Buffer.from(`\ufeff${good}`)])
    assert.equal(status, 201)
  })
})

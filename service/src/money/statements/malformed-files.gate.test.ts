import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { type ApiProcess, TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../../test/harness/installation/test-users.ts'
import { camt053, camt053Pieces } from '../../../test/harness/money/camt053.ts'
import { until } from '../../../test/harness/wait.ts'
import { camt053Limits, readCamt053 } from './read-camt053.ts'

const mib = 1024 * 1024
const good = camt053({ entries: Array.from({ length: 20 }, () => ({ amount: '1.00', text: 'für Ärger' })) })
const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const withDoctype = (doctype: string, text = '') =>
  camt053({ declaration: `${declaration}${doctype}`, entries: [{ amount: '1.00', text: 'MARK' }] }).replace(
    'MARK',
    text,
  )

/** Repeats a piece up to about this many bytes and never closes the element. */
function* endless(start: string, piece: string, bytes: number): Generator<string> {
  yield start
  const block = piece.repeat(Math.ceil(65_536 / piece.length))
  for (let sent = 0; sent < bytes; sent += block.length) yield block
}

describe('malformed and malicious statement files', () => {
  let installation: TestInstallation
  let api: ApiProcess
  let operator: TestOperator
  let uploads: string
  let peakMemoryMax: number

  before(async () => {
    uploads = await mkdtemp(join(tmpdir(), 'uploads-'))
    installation = await TestInstallation.create()
    api = await installation.startOperatorApiProcess({ TMPDIR: uploads })
    const tenantId = await installation.createTenant('T')
    operator = await installation.createOperator(tenantId, { role: 'operator' })
    await new Fixtures(installation).offering(tenantId)
    // The memory of a process that has parsed a file once: code and buffers, not the file.
    await rejection(['not XML'])
    peakMemoryMax = (await peakMemory(api)) + 150 * mib
  })
  after(async () => {
    await installation.end()
    await rm(uploads, { recursive: true, force: true })
  })

  async function peakMemory({ process: { pid } }: ApiProcess): Promise<number> {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) * 1024
  }

  /** Streams a file of any length. The response may arrive before the whole file is sent. */
  async function send(pieces: Iterable<string | Buffer>, headers: Record<string, string> = {}) {
    let sent = 0
    // A new connection, because another call may have sent less than it declared.
    const agent = new Agent({ keepAlive: true })
    const call = request(`${api.baseUrl}/operator/statements`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/xml', ...headers },
    })
    const responded = new Promise<IncomingMessage>((resolve, reject) =>
      call.on('response', resolve).on('error', reject),
    )
    let hasResponse = false
    responded.then(
      () => (hasResponse = true),
      () => (hasResponse = true),
    )
    for (const piece of pieces) {
      if (hasResponse) break
      sent += piece.length
      if (!call.write(piece))
        await Promise.race([new Promise((resolve) => call.once('drain', resolve)), responded.catch(() => undefined)])
    }
    if (!hasResponse) call.end()
    const response = await responded
    let text = ''
    for await (const piece of response) text += String(piece)
    call.destroy()
    agent.destroy()
    return {
      status: response.statusCode ?? 0,
      sent,
      ...(JSON.parse(text) as { error: { code: string; message: string } }),
    }
  }

  async function rejection(pieces: Iterable<string | Buffer>, headers?: Record<string, string>) {
    const start = performance.now()
    const { status, error, sent } = await send(pieces, headers)
    return { status, code: error.code, message: error.message, sent, ms: performance.now() - start }
  }

  async function assertNothingStored(): Promise<void> {
    assert.deepEqual(await readdir(uploads), [])
    const rows = await installation.rows(`select (select count(*)::int from cell.bank_statement) as statements,
                           (select count(*)::int from cell.bank_entry) as entries`)
    assert.deepEqual(rows, [{ statements: 0, entries: 0 }])
  }

  const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, index) => {
    const [name, inside] = [String.fromCharCode(98 + index), String.fromCharCode(97 + index)]
    return `<!ENTITY ${name} "${`&${inside};`.repeat(10)}">`
  }).join('')}]>`
  const depth = (levels: number) => [good.slice(0, good.indexOf('<Ntry>')), '<A>'.repeat(levels)]
  const utf16 = Buffer.from(`\ufeff${good}`, 'utf16le')

  const cases: [string, RegExp, () => Iterable<string | Buffer>][] = [
    ['billion laughs', /DOCTYPE/, () => [withDoctype(laughs, '&j;')]],
    ['an entity that reads a file', /DOCTYPE/, () =>
      [withDoctype('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;')]],
    ['parameter entities', /DOCTYPE/, () =>
      [withDoctype('<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/hosts"> %p;]>')]],
    ['an empty document type', /DOCTYPE/, () => [withDoctype('<!DOCTYPE Document>')]],
    ['an endless document type', /longer|more than|well-formed/, () =>
      endless(`${declaration}<!DOCTYPE x [`, '<!-- -->', mib)],
    ['an undeclared entity', /well-formed/, () => [good.replace('für', '&nbsp;')]],
    ['bytes in ISO-8859-1', /not UTF-8/, () => [Buffer.from(good, 'latin1')]],
    ['UTF-16 with a byte order mark', /not UTF-8/, () => [utf16]],
    ['UTF-16 without a byte order mark', /not UTF-8|well-formed/, () => [utf16.subarray(2)]],
    ['a declared encoding of windows-1252', /another encoding/, () => [good.replace('UTF-8', 'windows-1252')]],
    ['XML 1.1', /not XML 1.0/, () => [good.replace('version="1.0"', 'version="1.1"')]],
    ['a zero byte', /well-formed/, () => [good.replace('für', '\u0000')]],
    ['elements 100,000 deep', /nested more than 40 deep/, () => depth(100_000)],
    ['an endless text', /more than 65536 characters/, () =>
      endless(good.slice(0, good.indexOf('für')), 'a', 8 * mib)],
    ['an endless text in pieces', /an entry has more than 65536 characters/, () =>
      endless(good.slice(0, good.indexOf('für')), '<![CDATA[a]]>', 8 * mib)],
    ['an endless name', /more than 65536 characters/, () => endless(`${depth(0).join('')}<`, 'a', 8 * mib)],
    ['an endless attribute', /more than 65536 characters/, () => endless(`${depth(0).join('')}<A b="`, 'a', 8 * mib)],
    ['endless attributes', /more than 20 attributes/, () =>
      [depth(0).join(''), '<A ', Array.from({ length: 100_000 }, (_, index) => `a${index}="1"`).join(' ')]],
    ['an endless comment', /more than 65536 characters/, () => endless(`${declaration}<!--`, ' <a> ', 8 * mib)],
    ['an entry with endless values', /an entry has more than 65536 characters/, () =>
      endless(good.slice(0, good.indexOf('<Ntry>') + 6), '<A>x</A>', 8 * mib)],
    ['JSON', /well-formed/, () => ['{"a": 1}']],
    ['another ISO 20022 message', /the file is camt.052/, () => [good.replaceAll('camt.053', 'camt.052')]],
    ['XML of another kind', /not a bank statement/, () => ['<html xmlns="http://www.w3.org/1999/xhtml"/>']],
    ['no statement in the file', /no statement \(Stmt\)/, () => [camt053({ statements: [] })]],
  ] // biome-ignore format: one row for each

  for (const [name, expected, pieces] of cases)
    test(`${name}: rejected quickly with line and problem, within memory limits, and nothing is stored`, async () => {
      const { status, code, message, ms } = await rejection(pieces())
      assert.equal(status, 400, message)
      assert.match(code, /^statement_(unreadable|format_unsupported)$/)
      assert.match(message, /^Line \d+: /)
      assert.match(message, expected)
      assert.ok(ms < 5_000, `${ms} ms`)
      assert.ok((await peakMemory(api)) < peakMemoryMax, 'memory')
      await assertNothingStored()
    })

  test('an external entity is never requested', async () => {
    let requestCount = 0
    const server = createServer((_request, response) => {
      requestCount += 1
      response.end('secret')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    for (const doctype of [
      `<!DOCTYPE x [<!ENTITY e SYSTEM "http://127.0.0.1:${port}/">]>`,
      `<!DOCTYPE x SYSTEM "http://127.0.0.1:${port}/x.dtd">`,
      `<!DOCTYPE x [<!ENTITY % e SYSTEM "http://127.0.0.1:${port}/"> %e;]>`,
    ])
      assert.match((await rejection([withDoctype(doctype, '&e;')])).message, /DOCTYPE/)
    server.close()
    assert.equal(requestCount, 0)
  })

  test('a file truncated at any position is rejected and nothing is stored', async () => {
    const end = good.lastIndexOf('</Document>') + '</Document>'.length - 1
    for (let length = 1; length <= end; length += 487) {
      const { status, message } = await rejection([good.slice(0, length)])
      assert.equal(status, 400, `truncated at ${length}: ${message}`)
    }
    const { message } = await rejection([good.slice(0, end)])
    assert.match(message, /^Line \d+: the file is truncated\. Export the complete statement again/)
    await assertNothingStored()
  })

  test('1 GB: rejected by its content-length before it is read, or while it streams without one', async () => {
    // No part of it is sent.
    const byLength = await rejection([], { 'content-length': String(1024 * mib) })
    assert.deepEqual([byLength.status, byLength.code], [413, 'payload_too_large'])
    assert.ok(byLength.ms < 10_000, `${byLength.ms} ms`)
    const streamed = await rejection(endless(declaration, ' '.repeat(65_536), 1024 * mib))
    assert.deepEqual([streamed.status, streamed.code], [413, 'payload_too_large'])
    assert.match(streamed.message, /256 MiB/)
    assert.ok(streamed.sent < 300 * mib, `${streamed.sent} bytes were accepted`)
    assert.ok(streamed.ms < 120_000, `${streamed.ms} ms`)
    assert.ok((await peakMemory(api)) < peakMemoryMax, 'memory')
    await assertNothingStored()
  })

  test('more entries or statements than the limits allow are rejected', async () => {
    async function* bytes(options: Parameters<typeof camt053Pieces>[0]) {
      for (const piece of camt053Pieces(options)) yield Buffer.from(piece)
    }
    const drain = async (options: Parameters<typeof camt053Pieces>[0]) => {
      for await (const _ of readCamt053(bytes(options), { ...camt053Limits, entriesMax: 100, statementsMax: 3 }));
    }
    const many = (count: number) => Array.from({ length: count }, () => ({ amount: '1.00' }))
    await drain({ entries: many(100) })
    await assert.rejects(drain({ entries: many(101) }), /more than 100 entries/)
    const parts = { amount: '101.00', batch: many(101) }
    await assert.rejects(drain({ entries: [parts] }), /more than 100 entries/)
    await assert.rejects(drain({ statements: Array.from({ length: 4 }, () => ({ entries: [] })) }), /more than 3/)
    assert.equal(camt053Limits.entriesMax, 1_000_000)
  })

  test('a file with a lot of white space is accepted: 2,000 entries, and a batch of 2,000', async () => {
    const parts = Array.from({ length: 2_000 }, () => ({ amount: '1.00' }))
    for (const entries of [parts, [{ amount: '2000.00', batch: parts }]]) {
      const spaced = camt053({ entries }).replaceAll(/<\/(Ntry|TxDtls)>/g, (end) => end + '\n'.repeat(40))
      async function* bytes() {
        yield Buffer.from(spaced)
      }
      let entryCount = 0
      for await (const read of readCamt053(bytes())) entryCount += read.filter(({ kind }) => kind === 'entry').length
      assert.equal(entryCount, 2_000)
    }
  })

  test('a client that disconnects during the upload leaves no file and no row', async () => {
    const aborted = request(`${api.baseUrl}/operator/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/xml' },
    })
    aborted.on('error', () => undefined)
    await new Promise((resolve) => aborted.write(good.slice(0, 2_000), resolve))
    aborted.destroy()
    await writeFile(join(uploads, 'probe'), '')
    await rm(join(uploads, 'probe'))
    await until('the upload has ended', async () => (await rejection(['x'])).status === 400)
    // The name of a file exists for a moment: the API opens it, and then deletes the name.
    const isNothingStored = () =>
      assertNothingStored().then(
        () => true,
        () => false,
      )
    await until('nothing is stored', isNothingStored)
  })

  test('the same process still accepts a valid file afterwards, also with a byte order mark', async () => {
    const { status } = await send([Buffer.from(`\ufeff${good}`)])
    assert.equal(status, 201)
  })
})

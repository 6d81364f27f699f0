import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { Messages, RawClient } from './raw-client.ts'
import { RawRows, textsOfRow } from './raw-rows.ts'

describe('messages of PostgreSQL', () => {
  const rowOf = (...texts: (string | null)[]) => {
    const rows = new RawRows([])
    rows.addTexts(texts)
    return rows.parts[0]?.bytes ?? Buffer.alloc(0)
  }
  const otherOf = (type: string, length: number) => {
    const bytes = Buffer.alloc(5 + length, 'x')
    bytes.write(type)
    bytes.writeInt32BE(4 + length, 1)
    return bytes
  }

  /** Returns what arrives if the messages are cut into these chunks; messages for the driver are joined. */
  function arrived(chunks: readonly Buffer[]): unknown[] {
    const seen: unknown[] = []
    const messages = new Messages({
      onRow: (bytes, start, end) => seen.push(textsOfRow({ bytes, start, end })),
      onComplete: (tag) => seen.push({ tag }),
      onReady: (status) => seen.push({ status }),
      onOthers: (bytes) => {
        const last = seen.at(-1)
        if (typeof last === 'string') seen[seen.length - 1] = last + bytes.toString('latin1')
        else seen.push(bytes.toString('latin1'))
      },
    })
    for (const chunk of chunks) messages.read(chunk)
    return seen
  }

  const message = fc.oneof(
    fc.array(fc.option(fc.string({ unit: 'binary' }), { freq: 3 }), { maxLength: 4 }).map((texts) => rowOf(...texts)),
    fc
      .tuple(fc.constantFrom('C', 'Z', '2', 'T', 'd'), fc.integer({ min: 1, max: 40 }))
      .map(([type, length]) => otherOf(type, length)),
  )

  test('are the same in any chunks, in their order', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 12 }), (all, cuts) => {
        const bytes = Buffer.concat(all)
        const offsets = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
        const chunks = [...offsets, bytes.length].map((end, index) => bytes.subarray(offsets[index - 1] ?? 0, end))
        assert.deepEqual(arrived(chunks), arrived(all))
      }),
      { numRuns: 2_000 },
    )
  })

  test('arrive byte by byte: rows, the end of a statement and of a batch, and what the driver reads', () => {
    const [notice, complete, ready] = [otherOf('N', 3), otherOf('C', 9), otherOf('Z', 1)]
    complete.write('SELECT 2\0', 5)
    ready.write('T', 5)
    const bytes = Buffer.concat([otherOf('2', 0), notice, notice, rowOf('a', null, ''), rowOf('é'), complete, ready])
    const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
    const forDriver = Buffer.concat([notice, notice]).toString('latin1')
    assert.deepEqual(arrived(single), [forDriver, ['a', null, ''], ['é'], { tag: 'SELECT 2' }, { status: 'T' }])
  })

  test('of 64 MB are joined once, and not again for each chunk', () => {
    const bytes = rowOf('x'.repeat(64 * 1024 * 1024))
    const chunks = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, index) =>
      bytes.subarray(index * 8192, (index + 1) * 8192),
    )
    const begun = performance.now()
    const [row] = arrived(chunks) as [string[]]
    assert.equal(row[0]?.length, 64 * 1024 * 1024)
    // Joining them for each chunk copies 270 GB.
    assert.ok(performance.now() - begun < 10_000)
  })
})

describe('the client of our pools', () => {
  test('connects as that of the driver does: encrypted, and with the same checks of the connection', () => {
    const url = 'postgres://user:secret@db.example.com/cell?sslmode=verify-full&sslnegotiation=direct'
    const config = { connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
    const settingsOf = (client: pg.Client) => {
      const { connection } = client as unknown as { connection: Record<string, unknown> }
      const names = ['ssl', 'sslNegotiation', '_keepAlive', '_keepAliveInitialDelayMillis']
      return names.map((name) => [name, connection[name]])
    }
    const ours = settingsOf(new RawClient(config))
    assert.deepEqual(ours, settingsOf(new pg.Client(config)))
    assert.ok(ours.every(([, value]) => value))
  })
})

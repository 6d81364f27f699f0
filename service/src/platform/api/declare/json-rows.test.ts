import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { type TObject, Type } from 'typebox'
import {
  anyRowTexts,
  exampleTexts,
  type RowTexts,
  rawColumn,
  rowSerializer,
  rowsOfTexts,
  WrittenItem,
  type WrittenRow,
  writtenColumns,
  writtenMembers,
} from '../../../../test/harness/fuzz/written-rows.ts'
import { LanePools, laneOf, readAs } from '../../../../test/harness/installation/lane-pools.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { type Sql, sql } from '../../postgres/sql.ts'
import { RawRows } from '../../postgres/wire/raw-rows.ts'
import { orNull } from './fields.ts'
import { jsonRowsOf, sameNames, type WriteRows } from './json-rows.ts'

const write: WriteRows<WrittenRow, typeof WrittenItem> = jsonRowsOf(WrittenItem, writtenMembers)
const serialize = rowSerializer()

describe('rows written as JSON', () => {
  test('are byte for byte what a view and the serializer return, for random rows', () => {
    fc.assert(
      fc.property(fc.array(anyRowTexts, { maxLength: 4 }), (texts) => {
        const { raw, objects } = rowsOfTexts(texts)
        assert.equal(write(raw).between('[', ']').toString(), serialize(objects))
      }),
      { numRuns: 3_000 },
    )
  })

  const amounts = { '0': '0', '0.00': '0', '100': '100', '10.10': '10.1', '0.000001': '0.000001', '0.0000001': '1e-7' }
  const long = { '123456789012345.00': '123456789012345', '1234567890123.45': '1234567890123.45' }
  for (const [amount, expected] of Object.entries({ ...amounts, ...long, '9007199254740993': '9007199254740992' }))
    test(`the amount ${amount} is ${expected}`, () => {
      const { raw } = rowsOfTexts([{ ...exampleTexts, amount }])
      assert.match(write(raw).between('[', ']').toString(), new RegExp(`"amount":${expected},`))
    })

  test('every millisecond is that of the driver, and microseconds are cut off', () => {
    const texts = Array.from({ length: 1_000 }, (_, ms) => {
      const fraction = String(ms).padStart(3, '0').replace(/0+$/, '')
      return {
        ...exampleTexts,
        createdAt: `2026-07-02 10:00:00${fraction && `.${fraction}`}+00`,
        at: `0999-01-01 00:00:00.${ms}9+00`,
      }
    })
    const { raw, objects } = rowsOfTexts(texts)
    assert.equal(write(raw).between('[', ']').toString(), serialize(objects))
  })

  test('a list longer than all earlier ones keeps its beginning', () => {
    const { raw, objects } = rowsOfTexts(
      Array.from({ length: 50 }, () => ({ ...exampleTexts, name: '\u0001'.repeat(20_000) })),
    )
    assert.equal(write(raw).between('{"é":[', ']}').toString(), `{"é":${serialize(objects)}}`)
  })

  const invalid = { amount: ['', 'NaN', 'Infinity', '1.2.3', '12a', '.'], createdAt: ['infinity'] }
  for (const [column, values] of Object.entries(invalid))
    for (const value of values)
      test(`a row whose ${column} is "${value}" fails and writes no invalid JSON`, () => {
        const { raw } = rowsOfTexts([{ ...exampleTexts, [column]: value }])
        assert.throws(() => write(raw).between('[', ']'))
      })

  test('a null where the schema has none fails and names the member', () => {
    const { raw } = rowsOfTexts([{ ...exampleTexts, name: null }])
    assert.throws(() => write(raw).between('[', ']'), /WrittenItem\.inner\.name cannot be null/)
  })
})

describe('a declaration of rows as JSON', () => {
  const declare = (item: TObject, declared: object) => jsonRowsOf(item, declared as never)
  const { amount: _, ...withoutAmount } = writtenMembers

  test('fails if a member has no column', () => {
    assert.throws(() => declare(WrittenItem, withoutAmount), /^Error: WrittenItem\.amount has no column\.$/)
    const inner = { ...writtenMembers.inner, deeper: { at: 'at' } }
    assert.throws(
      () => declare(WrittenItem, { ...writtenMembers, inner }),
      /WrittenItem\.inner\.deeper\.on has no column/,
    )
  })

  test('fails for a column that belongs to no member', () => {
    assert.throws(
      () => declare(WrittenItem, { ...writtenMembers, colour: 'colour' }),
      /WrittenItem does not have the member colour/,
    )
  })

  const unsupported = {
    'an array': Type.Array(Type.String()),
    'an object in one column': Type.Object({ a: Type.String() }),
    'an object or null': orNull(Type.Object({ a: Type.String() })),
    'one of two types': Type.Union([Type.String(), Type.Number()]),
  }
  for (const [what, schema] of Object.entries(unsupported))
    test(`fails for ${what}, which needs a view`, () => {
      assert.throws(() => declare(Type.Object({ x: schema }, { title: 'Odd' }), { x: 'x' }), /Odd\.x .* needs a view/)
    })

  test('fails for a member that may be absent', () => {
    const optional = Type.Object({ x: Type.Optional(Type.String()) }, { title: 'Odd' })
    assert.throws(() => declare(optional, { x: 'x' }), /Odd\.x may be absent/)
  })

  test('fails for columns declared for the members of a text', () => {
    assert.throws(
      () => declare(WrittenItem, { ...writtenMembers, units: { a: 'a' } }),
      /WrittenItem\.units is not an object/,
    )
  })

  test('is compared with the columns of the statement: a missing one and one of another type fail', () => {
    const without = writtenColumns.filter(({ name }) => name !== 'day')
    assert.throws(
      () => write(new RawRows(without)),
      /WrittenItem\.inner\.deeper\.on is read from the column day, which/,
    )
    for (const [name, wrong] of Object.entries({ createdAt: 25, amount: 16, isOpen: 25, decimals: 1700, note: 1184 })) {
      const changed = writtenColumns.map((column) => (column.name === name ? rawColumn(name, wrong) : column))
      assert.throws(() => write(new RawRows(changed)), new RegExp(`cannot be read from the column ${name} of type`))
    }
  })
})

describe('rows of PostgreSQL written as JSON', async () => {
  const installation = await sharedInstallation()
  const pools = new LanePools(installation)
  after(() => pools.end())
  after(() => installation.end())

  /** Sends the values as parameters, so that PostgreSQL writes them in its own form. */
  function statement(texts: readonly RowTexts[], comment: Sql): Sql {
    const of = (name: keyof WrittenRow) => texts.map((one) => one[name])
    return sql`${comment}
      select * from unnest(${of('decimals')}::int[], ${of('isOpen')}::bool[], ${of('note')}::text[], ${of('id')}::uuid[],
        ${of('name')}::text[], ${of('amount')}::numeric[], ${of('share')}::text[], ${of('createdAt')}::timestamptz[],
        ${of('at')}::timestamptz[], ${of('day')}::date[], ${of('status')}::text[], ${of('lastStatus')}::text[],
        ${of('units')}::numeric[])
      as t("decimals", "isOpen", note, id, name, amount, share, "createdAt", at, day, status, "lastStatus", units)`
  }

  test('are the same in a lane, on the pool, and for a new statement', async () => {
    const [inLane, onPool] = [pools.open({ max: 1, isAlone: true }), installation.databases.directory]
    await laneOf(inLane)
    const pages = fc.sample(fc.array(anyRowTexts, { minLength: 0, maxLength: 50 }), 30)
    for (const [index, texts] of pages.entries()) {
      const page = statement(texts, index % 2 === 0 ? sql`/* one */` : sql`/* other */`)
      const expected = serialize(await readAs(onPool, {}, (tx) => tx.rows<WrittenRow>(page)))
      for (const pool of [onPool, inLane, inLane, onPool]) {
        const raw = await readAs(pool, {}, (tx) => tx.rawRows<WrittenRow>(page))
        assert.equal(write(raw).between('[', ']').toString(), expected)
      }
    }
  })

  test('are in order, next to rows as objects', async () => {
    const pool = pools.open({ max: 1, isAlone: true })
    await laneOf(pool)
    const one = sql`select 'é' as name`
    const Named = Type.Object({ name: Type.String() })
    const names: WriteRows<{ name: string }, typeof Named> = jsonRowsOf(Named, sameNames(Named))
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const [objects, raw, none, more] = await readAs(pool, {}, (tx) =>
        Promise.all([
          tx.rows(one),
          tx.rawRows<{ name: string }>(one),
          tx.rawRows<{ name: string }>(sql`${one} where false`),
          tx.rows(sql`select 1 as number union all select 2 order by 1`),
        ]),
      )
      assert.deepEqual([objects, more], [[{ name: 'é' }], [{ number: 1 }, { number: 2 }]])
      assert.equal(names(raw).between('[', ']').toString(), '[{"name":"é"}]')
      assert.equal(names(none).between('[', ']').toString(), '[]')
    }
  })
})

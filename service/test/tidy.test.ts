import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))
const textOf = (file: string) => readFileSync(join(source, file), 'utf8')

/** Lowest first. The resources have an order among themselves: each may use only those before it. */
const floors: readonly (readonly string[])[] = [
  ['base'],
  ['db'],
  ['http', 'jobs', 'mail', 'chain', 'outbound'],
  ['events'],
  ['audit'],
  ['tenants'],
  ['credentials'],
  ['requests'],
  ['administrators'],
  ['webhooks'],
  ['accounts'],
  ['offerings'],
  ['wallets'],
  ['refunds'],
  ['orders'],
  ['payments'],
  ['payment-providers'],
  ['payouts'],
  ['statements'],
  ['holdings'],
  ['settlement'],
  ['indexer'],
  ['simulations'],
  [
    'operations.ts',
    'simulation-operations.ts',
    'api-description.ts',
    'operator-operations.ts',
    'operator-api-description.ts',
    'jobs.ts',
  ],
  ['main'],
]

const roomOf = (file: string) => file.split('/')[0] ?? ''
const floorOf = (file: string) => floors.findIndex((rooms) => rooms.includes(roomOf(file)))
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(source, join(source, dirname(file), path)),
  )

describe('tidy', () => {
  test('every file stands on a floor', () => {
    assert.deepEqual(
      files.filter((file) => floorOf(file) < 0),
      [],
    )
  })

  test('a file imports only from its own floor or a lower one', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => floorOf(imported) > floorOf(file))
        .map((imported) => `${file} imports ${imported}`),
    )
    assert.deepEqual(upward, [])
  })

  test('SQL stands in *.sql.ts and db/ only', () => {
    const isSql = /\b(select|insert into|update|delete from)\b[^\n'`]*\b(from|set|values|where)\b|\bsql`/i
    const strays = files.filter((file) => {
      const code = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return isSql.test(code) && !file.endsWith('.sql.ts') && roomOf(file) !== 'db'
    })
    // The sweeper speaks to the job queue's own tables, in which no tenant has rows.
    assert.deepEqual(strays, ['jobs/sweeper.ts'])
  })

  test('only the configuration reads the environment', () => {
    const readers = files.filter((file) => /process\.env/.test(textOf(file)))
    assert.deepEqual(readers, ['base/config.ts'])
  })

  test('only db/ opens connections', () => {
    const strays = files.filter((file) => /new (pg\.)?(Pool|Client)\(/.test(textOf(file)) && roomOf(file) !== 'db')
    assert.deepEqual(strays, [])
  })

  test('no file has more than 300 lines, no line more than 120 characters', () => {
    const long = files.filter((file) => textOf(file).split('\n').length > 300)
    assert.deepEqual(long, [])
    const wide = files.filter((file) =>
      textOf(file)
        .split('\n')
        .some((line) => line.length > 120),
    )
    assert.deepEqual(wide, [])
  })

  test('there is no room for what belongs nowhere', () => {
    const strays = files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|types|lib|index)(\.ts$|\/)/.test(file))
    assert.deepEqual(strays, [])
  })

  test('docs/configuration.md names every setting that is read, and no other', () => {
    const read = [...textOf('base/config.ts').matchAll(/\b(?:read|optional|absentable)\('([A-Z_]+)'/g)].map(
      ([, name]) => name,
    )
    const document = readFileSync(join(source, '../../docs/configuration.md'), 'utf8')
    const rows = document.split('\n').filter((line) => line.startsWith('| `'))
    const documented = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
    )
    assert.deepEqual(documented.toSorted(), [...new Set(read)].toSorted())
  })
})

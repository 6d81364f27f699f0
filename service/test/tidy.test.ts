import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))
const textOf = (file: string) => readFileSync(join(source, file), 'utf8')

/** Lowest first. A file imports from its own wing or a lower one; wings on one level do not know each other. */
const wings: readonly (readonly string[])[] = [
  ['platform'],
  ['records'],
  ['access'],
  ['sales'],
  ['webhooks'],
  ['money', 'tokens'],
  ['simulations'],
  [
    'api-description.ts',
    'background.ts',
    'error-table.ts',
    'operations.ts',
    'operator-api-description.ts',
    'operator-operations.ts',
  ],
  ['main'],
]

const wingOf = (file: string) => file.split('/')[0] ?? ''
const levelOf = (file: string) => wings.findIndex((level) => level.includes(wingOf(file)))
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(source, join(source, dirname(file), path)),
  )
const imports = files.flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))

describe('tidy', () => {
  test('every file is in a wing, and there are at most 9 folders and 6 files at the top', () => {
    assert.deepEqual(
      files.filter((file) => levelOf(file) < 0),
      [],
    )
    const top = [...new Set(files.map(wingOf))]
    assert.ok(top.filter((name) => !name.endsWith('.ts')).length <= 9, 'more than 9 folders')
    assert.ok(top.filter((name) => name.endsWith('.ts')).length <= 6, 'more than 6 files')
  })

  test('a file imports only from its own wing or a lower one', () => {
    const upward = imports.filter(({ file, imported }) => levelOf(imported) > levelOf(file))
    assert.deepEqual(upward, [])
  })

  test('money and tokens never import each other', () => {
    const across = imports.filter(
      ({ file, imported }) =>
        (wingOf(file) === 'money' && wingOf(imported) === 'tokens') ||
        (wingOf(file) === 'tokens' && wingOf(imported) === 'money'),
    )
    assert.deepEqual(across, [])
  })

  test('no import cycle, imports of types included', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file)]))
    const done = new Set<string>()
    const visit = (file: string, path: readonly string[]): string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const imported of graph.get(file) ?? []) {
        const cycle = visit(imported, [...path, file])
        if (cycle) return cycle
      }
      done.add(file)
      return undefined
    }
    for (const file of files) assert.equal(visit(file, [])?.join(' -> '), undefined)
  })

  test('SQL is in *.sql.ts and platform/db/ only', () => {
    const isSql = /\b(select|insert into|update|delete from)\b[^\n'`]*\b(from|set|values|where)\b|\bsql`/i
    const strays = files.filter((file) => {
      const code = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return isSql.test(code) && !file.endsWith('.sql.ts') && !file.startsWith('platform/db/')
    })
    // The sweeper queries the job queue's own tables, which have no rows of tenants.
    assert.deepEqual(strays, ['platform/jobs/sweeper.ts', 'records/events/event-sequencer.ts'])
  })

  test('only the configuration reads the environment', () => {
    const readers = files.filter((file) => /process\.env/.test(textOf(file)))
    assert.deepEqual(readers, ['platform/base/config.ts'])
  })

  test('only platform/db/ opens connections', () => {
    const strays = files.filter(
      (file) => /new (pg\.)?(Pool|Client)\(/.test(textOf(file)) && !file.startsWith('platform/db/'),
    )
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

  test('no folder or file is a catch-all', () => {
    const strays = files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|types|lib|index)(\.ts$|\/)/.test(file))
    assert.deepEqual(strays, [])
  })

  test('docs/configuration.md names every setting that is read, and no other', () => {
    const read = [...textOf('platform/base/config.ts').matchAll(/\b(?:read|optional|absentable)\('([A-Z_]+)'/g)].map(
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

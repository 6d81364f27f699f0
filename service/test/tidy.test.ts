import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { configurationDocument } from '../../scripts/configuration-document.ts'
import { parseSource, type SyntaxNode, walk } from '../../scripts/tests/source-literals.ts'

const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))
const textOf = (file: string) => readFileSync(join(source, file), 'utf8')

/** Lowest first. A file imports from its own wing or a lower one; wings on the same level do not import each other. */
const wings: readonly (readonly string[])[] = [
  ['platform'],
  ['records'],
  ['access'],
  ['sales'],
  ['webhooks'],
  ['money', 'tokens'],
  ['combined'],
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

const root = join(source, '../..')

/** True if code runs statements of the transaction around it. */
function usesTransaction(part: SyntaxNode | undefined): boolean {
  let isUsed = false
  if (part)
    walk(part, (node, parents) => {
      const isOther = parents.some(({ params }) => params?.some((param: SyntaxNode) => param['name'] === 'tx'))
      isUsed ||= node.type === 'Identifier' && node['name'] === 'tx' && !isOther
    })
  return isUsed
}

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
    // The session of the queues queries the tables of the job queue, which contain no rows of tenants.
    assert.deepEqual(strays, ['platform/jobs/queue-session.ts'])
  })

  test('statements of one transaction have an order: tx.batch runs them, not Promise.all', () => {
    const strays = files.flatMap((file) => {
      const text = textOf(file)
      const found: string[] = []
      walk(parseSource(file, text), (node) => {
        const callee = node['callee']
        if (callee?.object?.name !== 'Promise' || !/^(all|allSettled|race|any)$/.test(callee.property.name)) return
        const [given] = node['arguments']
        const parts: SyntaxNode[] = given?.type === 'ArrayExpression' ? given['elements'] : [given, given]
        if (parts.filter(usesTransaction).length > 1) found.push(`${file}: ${text.slice(node.start, node.start + 80)}`)
      })
      return found
    })
    assert.deepEqual(strays, [])
  })

  test('only the configuration reads the environment', () => {
    const readers = files.filter((file) => /process\.env/.test(textOf(file)))
    assert.deepEqual(readers, ['platform/base/config.ts'])
  })

  test('only main/ uses the system clock; everything else receives a clock', () => {
    const strays = files.filter((file) => /\bsystemClock\b/.test(textOf(file)) && wingOf(file) !== 'main')
    assert.deepEqual(strays, ['platform/base/clock.ts'])
  })

  test('only platform/db/ opens connections', () => {
    const strays = files.filter(
      (file) => /new (pg\.)?(Pool|Client)\(/.test(textOf(file)) && !file.startsWith('platform/db/'),
    )
    assert.deepEqual(strays, [])
  })

  test('no file has more than 300 lines, no line more than 120 characters', () => {
    const written = globSync('{bench,cli,console,contracts,deploy,examples,scripts,sdk,service}/**/*.{ts,tsx,sol}', {
      cwd: root,
    }).filter((file) => !/(^|\/)(node_modules|dist|generated|artifacts|\.bundle)\//.test(file))
    // The last line ends with a newline too.
    const lineCount = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
    assert.deepEqual(
      written.filter((file) => lineCount(file) > 300),
      [],
    )
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

  test('docs/configuration.md has every setting; npm run configuration writes it', () => {
    const document = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    assert.equal(document, configurationDocument(document))
  })

  test('an exported name exists once', () => {
    const exporters = new Map<string, Set<string>>()
    for (const file of files)
      for (const [, name = ''] of textOf(file).matchAll(
        /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
      ))
        exporters.set(name, (exporters.get(name) ?? new Set()).add(file))
    const twice = [...exporters].filter(([, where]) => where.size > 1).map(([name, where]) => [name, ...where])
    assert.deepEqual(twice, [])
  })

  test('docs/glossary.md names only what exists', () => {
    const sources = globSync(['service/{src,migrations}/**/*.{ts,sql}', 'service/openapi.json'], { cwd: root })
    const all = sources.map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`).join('\n')
    const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    const rows = glossary.split('\n').filter((line) => /^\| (?!term|---)/.test(line))
    assert.ok(rows.length >= 60, `only ${rows.length} terms`)
    const names = rows.flatMap((row) =>
      [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    )
    assert.deepEqual(
      names.filter((name) => !all.includes(name)),
      [],
    )
  })

  test('ARCHITECTURE.md lists every folder of every wing', () => {
    const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const tree = /## Wings of[\s\S]*?```\n([\s\S]*?)```/.exec(document)?.[1] ?? ''
    // One text per wing: a line that begins with white space continues the one before it.
    const listed = tree.replaceAll(/\n\s+/g, ' ').split('\n')
    const folders = new Set(files.filter((file) => file.split('/').length > 2).map((file) => dirname(file)))
    const missing = [...folders].filter((folder) => {
      const [wing = '', name = ''] = folder.split('/')
      // The operator/ folder of a resource is described below the tree.
      return name !== 'operator' && !listed.some((line) => line.startsWith(`${wing}/`) && line.includes(` ${name}/`))
    })
    assert.deepEqual(missing, [])
  })

  test('ARCHITECTURE.md names only tests that exist', () => {
    const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const named = [...document.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, path = '']) => path)
    assert.deepEqual(
      named.filter(
        (path) => ![`service/src/${path}`, `service/${path}`, path].some((one) => existsSync(join(root, one))),
      ),
      [],
    )
  })
})

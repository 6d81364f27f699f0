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

/** Lowest first. A file imports from its own room or a lower one; rooms of one level do not import each other. */
const rooms: readonly (readonly string[])[] = [
  ['platform'],
  ['records'],
  ['access'],
  ['sales'],
  ['webhooks'],
  ['money', 'tokens'],
  ['distributions'],
  ['disclosure', 'simulations', 'workbench'],
  [
    'api-description.ts',
    'background.ts',
    'error-table.ts',
    'operations.ts',
    'operator-api-description.ts',
    'operator-operations.ts',
  ],
  ['main'],
  ['maintain'],
  ['dev'],
]

const roomOf = (file: string) => file.split('/')[0] ?? ''
const levelOf = (file: string) => rooms.findIndex((level) => level.includes(roomOf(file)))
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(source, join(source, dirname(file), path)),
  )
const imports = files.flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))

const root = join(source, '../..')

/** Rooms that need each other, and why neither can be the lower one. */
const twoWayRooms = {
  'access/device-authorizations access/sign-in': 'a device signs in, and its limit is that of all sign-ins',
  'platform/postgres platform/postgres/wire': 'the wire sends what sql.ts prepares, and transactions are sent by it',
  'sales/accounts sales/blockers': 'an account decides whether its orders are blocked, and a change of it checks them',
  'tokens tokens/chain-ops': 'the engine calls the handlers of all rooms, which the top of tokens/ lists',
  'tokens/chain-ops tokens/signers': 'a signer deploys its contracts with ops, and an op is signed by a signer',
}

/** Files that convert amounts although their names do not say that they read or write what is outside, and why. */
const amountConverters = {
  'access/approvals/pending-approvals-text.ts': 'writes a mail',
  'disclosure/personal-data/read-subject-data.ts': "writes the file with a person's data",
  'distributions/parse-terms.ts': 'reads the terms of a request',
  'money/payments/require-needed-amount.ts': 'a limit in units of any currency',
  'money/payouts/credit-transfer-file.ts': 'writes a file for the bank',
  'money/payouts/transfer.ts': 'a limit of SEPA',
  'money/statements/entry-fingerprint.ts': 'the fingerprint of an entry is stored',
  'platform/api/declare/view-of.ts': 'views rows',
  'platform/base/money.ts': 'defines the value',
  'platform/base/token-units.ts': 'defines the value',
  'platform/postgres/read-money.ts': 'reads rows',
  'sales/offerings/operator/offering-terms.ts': 'reads the terms of a request',
  'sales/orders/reserve-order.ts': 'reads the units of a request',
  'simulations/simulate-payment.ts': 'reads the amount of a request',
  'workbench/work/operator/list-work.ts': 'has its view',
} as const

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
  test('every file is in a room, and there are at most 14 folders and 6 files at the top', () => {
    assert.deepEqual(
      files.filter((file) => levelOf(file) < 0),
      [],
    )
    const top = [...new Set(files.map(roomOf))]
    assert.ok(top.filter((name) => !name.endsWith('.ts')).length <= 14, 'more than 14 folders')
    assert.ok(top.filter((name) => name.endsWith('.ts')).length <= 6, 'more than 6 files')
  })

  test('a file imports only from its own room or a lower one', () => {
    const upward = imports.filter(({ file, imported }) => levelOf(imported) > levelOf(file))
    assert.deepEqual(upward, [])
  })

  test('money and tokens never import each other', () => {
    const across = imports.filter(
      ({ file, imported }) =>
        (roomOf(file) === 'money' && roomOf(imported) === 'tokens') ||
        (roomOf(file) === 'tokens' && roomOf(imported) === 'money'),
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

  test('two rooms import each other only for a written reason', () => {
    const folderOf = (file: string) => dirname(file).replace(/\/operator$/, '')
    const arrows = new Set(imports.map(({ file, imported }) => `${folderOf(file)} ${folderOf(imported)}`))
    const pairs = [...arrows].filter((arrow) => {
      const [from = '', to = ''] = arrow.split(' ')
      return from < to && arrows.has(`${to} ${from}`)
    })
    assert.deepEqual(pairs.toSorted(), Object.keys(twoWayRooms).toSorted())
  })

  test('private members of the driver are used in platform/postgres/wire/ only', () => {
    const strays = files.filter((file) => {
      const isPrivate =
        /as unknown as \{ connection|parsedStatements|pg\.Query\b|pg\.Connection\b|pg\/lib\/|pg-protocol/
      return isPrivate.test(textOf(file)) && !file.startsWith('platform/postgres/wire/')
    })
    assert.deepEqual(strays, [])
  })

  test('only *.sql.ts, platform/postgres/ and maintain/migrate/ contain SQL', () => {
    const isSql = /\b(select|insert into|update|delete from)\b[^\n'`]*\b(from|set|values|where)\b|\bsql`/i
    const strays = files.filter((file) => {
      const code = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return isSql.test(code) && !/\.sql\.ts$|^platform\/postgres\/|^maintain\/migrate\//.test(file)
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

  test('only processes use the system clock; everything else receives a clock', () => {
    const strays = files.filter(
      (file) => /\bsystemClock\b/.test(textOf(file)) && !['main', 'maintain', 'dev'].includes(roomOf(file)),
    )
    assert.deepEqual(strays, ['platform/base/clock.ts'])
  })

  test('amounts of money are values: boundaries convert them, and SQL compares them with constants', () => {
    const isBoundary = /\.(view|schema|sql)\.ts$|-notification\.ts$|^money\/statements\/read-[\w-]+\.ts$/
    const converters = /\bMoney\.(parse|ofMinor|ofParts)\b|\bTokenUnits\.of\b|\.(toNumber|toTokens|partsAt)\(/
    const strays = files.filter((file) => converters.test(textOf(file)) && !isBoundary.test(file))
    assert.deepEqual(strays.toSorted(), Object.keys(amountConverters))
  })

  test('only platform/postgres/ opens connections', () => {
    const strays = files.filter(
      (file) => /new (pg\.)?(Pool|Client)\(/.test(textOf(file)) && !file.startsWith('platform/postgres/'),
    )
    assert.deepEqual(strays, [])
  })

  test('no file has more than 300 lines, no line more than 120 characters', () => {
    const written = globSync('{bench,cli,console,contracts,deploy,examples,scripts,sdk,service}/**/*.{ts,tsx,sol}', {
      cwd: root,
    }).filter((file) => !/(^|\/)(node_modules|dist|generated|artifacts|\.bundle)\//.test(file))
    // The last line ends with a newline, too.
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

  test('docs/configuration.md has every setting; npm run generate -- configuration writes it', () => {
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

  test('docs/glossary.md names only existing things', () => {
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

  test('ARCHITECTURE.md has every folder and file at the top of service/src in its table of rooms', () => {
    const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const table = /^\| room[\s\S]*?\n\n/m.exec(document)?.[0] ?? ''
    const existing = [...new Set(files.map((file) => (file.includes('/') ? `${roomOf(file)}/` : file)))]
    const firstCells = table.split('\n').map((row) => row.split('|')[1] ?? '')
    const listed = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    assert.deepEqual(listed.toSorted(), existing.toSorted())
  })

  for (const name of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/invariants.md'])
    test(`${name} names only files and folders that exist`, () => {
      const document = readFileSync(join(root, name), 'utf8')
      const named = [...document.matchAll(/`(\.?\w[\w.-]*(?:\/[\w.-]+)*\/?)`/g)].map(([, path = '']) => path)
      const isPath = (path: string) => !path.startsWith('x.') && (path.includes('/') || /\.(ts|md|sql|sol)$/.test(path))
      const paths = named.filter(isPath)
      assert.ok(paths.length > 50, `only ${paths.length} paths`)
      // CONTRIBUTING.md has a table of the rooms of the harness.
      const folders = ['service/src', 'service', '', ...(name === 'CONTRIBUTING.md' ? ['service/test/harness'] : [])]
      const exists = (path: string) =>
        folders.some((folder) => existsSync(join(root, folder, path))) ||
        files.some((file) => !path.includes('/') && file.endsWith(`/${path}`))
      assert.deepEqual(
        paths.filter((path) => !exists(path)),
        [],
      )
    })
})

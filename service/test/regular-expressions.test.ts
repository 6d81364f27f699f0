import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { operations } from '../src/operations.ts'
import { operatorApiOperations } from '../src/operator-operations.ts'
import type { Header } from '../src/platform/api/declare/operation.ts'
import { simulationOperations } from '../src/simulations/simulation-operations.ts'
import {
  type Expression,
  isUpdate,
  provenExpressions,
  textOf,
  unsafeExpressions,
  writeProvenExpressions,
} from './harness/fuzz/proven-expressions.ts'
import { testSize } from './harness/test-size.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Found extends Expression {
  readonly at: string
}

/** Expressions that take more than linear time in the worst case, and the limit of their input. */
const accepted: Readonly<Record<string, string>> = {
  '/0+$/': 'statement-amount.ts: the five decimals of an amount',
  '/\\/+$/': 'setting-parsers.ts: a setting, which only the operator of the process writes',
  '/<script[^>]*>([^<]+)<\\/script>/g': 'docs.ts: the page that we render ourselves, once',
  '/^[/ ]+|[/ ]+$/g': 'sepa-text.ts: a name or reference of at most 255 characters',
}

/** Expressions that were proven before, because proving them all takes a minute. TEST_LONG=true proves all again. */
const believed = testSize({ short: provenExpressions(), long: [] })
const remedy = 'If that is right: UPDATE_SNAPSHOTS=true node --test service/test/regular-expressions.test.ts'

/** Files that build an expression from a variable. Its text must be ours, and the first test checks it. */
const builders = [
  'service/src/distributions/rational.ts', // the pattern of rates, that of a schema
  'service/src/maintain/migrate/migration-files.ts', // the statements of a migration, which are ours
  'service/src/maintain/program/arguments.ts', // the pattern of names, that of a schema
  'service/src/platform/api/server/routes.ts', // the paths that operations declare
]

describe('regular expressions', async () => {
  const all = collect()
  const dynamic = all.dynamic
  const unique = new Map(all.found.map((one) => [textOf(one), one]))

  test('every expression takes linear time, or its input is short', async () => {
    assert.ok(unique.size > 100, `only ${unique.size} expressions`)
    const known = new Set([...believed, ...Object.keys(accepted)])
    const unproven = [...unique].flatMap(([text, one]) => (known.has(text) ? [] : [one]))
    const unsafe = await unsafeExpressions(unproven)
    assert.deepEqual(
      [...unsafe].map(([text, status]) => `${unique.get(text)?.at} ${status}: ${text}`),
      [],
    )
    assert.deepEqual(
      Object.keys(accepted).filter((text) => !unique.has(text)),
      [],
      'accepted, but no longer used',
    )
    const proven = [...unique.keys()].filter((text) => !(text in accepted)).toSorted()
    if (isUpdate) writeProvenExpressions(proven)
    assert.deepEqual(provenExpressions(), proven, `proven-expressions.json has others than the source. ${remedy}`)
  })

  test('only these files build an expression at run time, from our own text', () => {
    assert.deepEqual(dynamic.toSorted(), builders)
  })
})

/** Collects literals and `new RegExp('…')` in everything that we run or publish, and patterns of request schemas. */
function collect(): { found: Found[]; dynamic: string[] } {
  const declared = [...operations, ...operatorApiOperations, ...simulationOperations(new Map())]
  const found = schemaPatterns(declared.map(({ header }) => header))
  const files = globSync(['{service,sdk,cli}/src/**/*.ts', 'examples/storefront/{,src/**/}*.ts'], { cwd: root })
  const dynamic: string[] = []
  for (const file of files.filter((one) => !/\.test\.ts$|node_modules|generated/.test(one))) {
    const text = readFileSync(join(root, file), 'utf8')
    walk(parseSync(file, text).program, (node) => {
      const at = `${file}:${text.slice(0, Number(node['start'])).split('\n').length}`
      const regex = node['regex'] as { pattern: string; flags: string } | undefined
      if (regex) found.push({ source: regex.pattern, flags: regex.flags, at })
      if (!isConstruction(node)) return
      const pattern = (node['arguments'] as Node[])[0]?.['value']
      if (typeof pattern === 'string') found.push({ source: pattern, flags: '', at })
      else dynamic.push(file)
    })
  }
  return { found, dynamic }
}

type Node = Readonly<Record<string, unknown>>

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node) visit(node as Node)
  for (const child of Object.values(node)) walk(child, visit)
}

/** Returns true for `new RegExp(…)`, with or without `new`. */
function isConstruction({ type, callee }: Node): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && (callee as Node)['name'] === 'RegExp'
}

function schemaPatterns(headers: readonly Header[]): Found[] {
  const patterns = new Map<string, Found>()
  const visit = (value: unknown, at: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (name === 'pattern' && typeof member === 'string') patterns.set(member, { source: member, flags: 'u', at })
      else visit(member, at)
    }
  }
  for (const { id, params, query, body } of headers) visit({ params, query, body }, id)
  return [...patterns.values()]
}

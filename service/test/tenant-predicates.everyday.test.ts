import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseSource, type SyntaxNode, walk } from '../../scripts/tests/source-literals.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Statements for which row-level security alone decides, because the row itself says whose it is. */
const presented = {
  'select pepper_id as "pepperId", mac from directory.credential_secret': 'the transaction presents the credential',
  'select operator_user.tenant_id as "tenantId", operator_user.id as "userId" from directory.operator_user':
    'a person has users in several tenants',
  'select … from directory.invitation': 'the transaction presents the invitation',
}

/** Returns the tables with a column tenant_id, from the schema that the migrations create. */
function tenantTables(): Set<string> {
  const schema = readFileSync(`${root}/schema.sql`, 'utf8')
  const created = schema.matchAll(/^CREATE TABLE ((?:base|cell|directory)\.\w+) \((.*?)^\)/gms)
  return new Set(
    [...created].filter(([, , columns]) => /\btenant_id\b/.test(columns ?? '')).map(([, name]) => name ?? ''),
  )
}

const comparison =
  /\btenant_id (?:=|in\b)|= (?:\w+\.)?tenant_id\b|using \((?:\w+, )*tenant_id|\(tenant_id, [^)]*\) (?:=|in)\b|\bon …/g
/** Matches a condition that is composed elsewhere. What stands in the place of a table excuses no other table. */
const composed = /(?:where|and|or|not|\))\s+…/

// Row-level security hides a missing comparison from every other test. If one login has a wrong setting, or a migration
// forgets a policy, the statement would show one tenant's rows to another.
test('a statement compares the tenant of each table that it reads or changes', () => {
  const tables = tenantTables()
  assert.ok(tables.size > 80, `only ${tables.size} tables`)
  const [missing, used] = [new Set<string>(), new Set<string>()]
  let count = 0
  for (const file of globSync('src/**/*.sql.ts', { cwd: root })) {
    const source = readFileSync(`${root}/${file}`, 'utf8')
    walk(parseSource(file, source), (node, parents) => {
      if (node.type !== 'TaggedTemplateExpression' || node['tag'].name !== 'sql' || isOfAllTenants(parents)) return
      const text = textOf(node)
      const read = [
        ...text.matchAll(/\b(?:from|join|update|using) (?:lateral )?((?:base|cell|directory)\.\w+)\b/g),
      ].filter(([, name]) => tables.has(name ?? '')).length
      count += read > 0 ? 1 : 0
      const compared = text.match(comparison)?.length ?? 0
      // A fragment that begins with its first table gets its condition from the text behind it.
      const needed = text.startsWith('from ') ? read - 1 : read
      if (compared >= needed || composed.test(text)) return
      const known = Object.keys(presented).find((start) => text.startsWith(start))
      if (known) used.add(known)
      else missing.add(`${file}: ${text.slice(0, 100)}`)
    })
  }
  assert.ok(count > 500, `only ${count} statements`)
  assert.deepEqual([...missing], [])
  assert.deepEqual([...used].toSorted(), Object.keys(presented).toSorted())
})

/**
 * Returns true for a worker's questions about a whole cell, for its statements across tenants, and for fingerprints,
 * whose row the caller chooses.
 */
function isOfAllTenants(parents: readonly SyntaxNode[]): boolean {
  const [call] = parents
  if (call?.['callee']?.name === 'rowFingerprint' || call?.['callee']?.object?.callee?.name === 'acrossTenants')
    return true
  const declared = parents.find(({ type }) => type === 'VariableDeclarator')
  return /^are[A-Z]/.test(declared?.['id'].name ?? '')
}

/** Returns the text on one line, with … in place of inserted values. */
function textOf({ quasi }: SyntaxNode): string {
  const parts: string[] = quasi['quasis'].map(({ value }: { value: { raw: string } }) => value.raw)
  return parts.join('…').replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()
}

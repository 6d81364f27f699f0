import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chosenMutations } from './chosen-mutations.ts'
import { guardsIn, mutated } from './guards.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const resultsOf = (source: string, file = 'x.ts') => guardsIn(file, source).map((one) => mutated(source, one))

test('a rejection is disabled, and its comparisons are weakened', () => {
  assert.deepEqual(resultsOf('if (a < b && !c) throw d'), [
    'if (false) throw d',
    'if (a <= b && !c) throw d',
    'if (a < b || !c) throw d',
    'if (a < b && c) throw d',
  ])
})

test('a statement selects more rows, and locks none', () => {
  const tenant = `tenant_id = \${a}`
  const statement = (rest: string) => `sql\`select x from y where ${rest}\``
  assert.deepEqual(resultsOf(statement(`${tenant} and z is null for update`)), [
    statement('true and z is null for update'),
    statement(`${tenant} and true for update`),
    statement(`${tenant} and z is null `),
  ])
})

test('a bound is farther away, and a policy lets every row through', () => {
  assert.deepEqual(resultsOf('const partsMax = 20'), ['const partsMax = 2000'])
  const policy = (rule: string) => `create policy p on cell.x using (${rule});`
  assert.deepEqual(resultsOf(policy('tenant_id = base.current_tenant_id()'), 'x.sql'), [policy('true')])
})

test('the same seed chooses the same mutations', () => {
  const choose = (seed: number) => chosenMutations(root, { area: 'money', count: 20, seed })
  assert.deepEqual(choose(7), choose(7))
  assert.notDeepEqual(choose(7), choose(8))
  assert.equal(choose(7).length, 20)
})

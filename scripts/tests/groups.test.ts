import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupsOf, inRandomOrder } from './groups.ts'
import { testFiles, tierOf } from './tiers.ts'

const files = testFiles()

describe('groups', () => {
  test('every file is in exactly one group', () => {
    const groups = groupsOf(files, new Map(files.map((file, at) => [file, at % 40])))
    assert.ok(groups.every(({ length }) => length >= 1 && length <= 12))
    assert.deepEqual(groups.flat().toSorted(), files)
  })

  test('files that take a minute together share a process, and one that takes longer has its own', () => {
    const [one, two, three] = [
      'service/src/sales/a.test.ts',
      'service/src/sales/b.test.ts',
      'service/src/sales/c.test.ts',
    ]
    const seconds = new Map([
      [one, 70],
      [two, 30],
      [three, 30],
    ])
    assert.deepEqual(groupsOf([one, two, three], seconds), [[one], [two, three]])
  })

  test('files that only a full run includes have a process each, except pages', () => {
    for (const group of groupsOf(files, new Map()))
      if (group.length > 1)
        for (const file of group) assert.ok(tierOf(file) !== 'full' || file.startsWith('console/'), file)
  })

  test('a seed always gives the same order, and another seed another order', () => {
    const groups = groupsOf(files, new Map())
    const first = inRandomOrder(groups, 7)
    assert.deepEqual(inRandomOrder(groups, 7), first)
    assert.notDeepEqual(inRandomOrder(groups, 8), first)
    assert.deepEqual(
      first.map((group) => group.toSorted()),
      groups.map((group) => group.toSorted()),
    )
  })
})

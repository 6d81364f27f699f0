import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../src/operations.ts'
import { operatorOperations } from '../src/operator-operations.ts'
import { compileSerializer } from '../src/platform/api/pipeline/lazy-serializer.ts'

test('the serializer of every operation compiles, which a process notices only with the first response', () => {
  for (const { header } of [...operations, ...operatorOperations])
    assert.doesNotThrow(() => compileSerializer(header.success.body), header.id)
})

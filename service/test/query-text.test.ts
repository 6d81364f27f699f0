import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { operatorOperations } from '../src/operator-operations.ts'
import { requestValidator } from '../src/platform/api/pipeline/validation.ts'

// PostgreSQL rejects U+0000 in text, so without this check such a request would get a 500.
describe('a query parameter with U+0000 is rejected and named', () => {
  for (const operation of [...operations, ...operatorOperations]) {
    const { header } = operation
    for (const parameter of Object.keys(header.query?.properties ?? {}))
      test(`${header.method} ${header.path}: ${parameter}`, () => {
        const params = Object.fromEntries(
          Object.keys(header.params?.properties ?? {}).map((name) => [name, crypto.randomUUID()]),
        )
        const parts = { params, query: { [parameter]: 'a\u0000' }, body: undefined, idempotencyKey: undefined }
        const failures = requestValidator(operation)(parts)
        assert.ok(
          failures.some((failure) => 'parameter' in failure && failure.parameter === parameter),
          JSON.stringify(failures),
        )
      })
  }
})

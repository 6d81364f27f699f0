import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { queues } from '../src/background.ts'
import { operations } from '../src/operations.ts'
import { operatorOperations } from '../src/operator-operations.ts'
import { compileSerializer } from '../src/platform/api/pipeline/serializer-schema.ts'
import { bodyValidator } from '../src/platform/api/pipeline/validation.ts'

const allOperations = [...operations, ...operatorOperations]
const allJobs = queues.flatMap(({ jobs }) => jobs)

test('the serializer of every operation compiles, although a process would notice only at the first response', () => {
  for (const { header } of allOperations) assert.doesNotThrow(() => compileSerializer(header.success.body), header.id)
})

// Processes compile these without validating them, and only at the first request.
test('the input of every operation and job is a valid JSON Schema and compiles', () => {
  const ajv = new Ajv2020({ strict: false })
  const assertValid = (schema: TSchema | undefined, name: string) => {
    if (!schema) return
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText(ajv.errors)}`)
    assert.doesNotThrow(() => bodyValidator(schema)({}), name)
  }
  for (const { header } of allOperations)
    for (const part of ['params', 'query', 'body'] as const) assertValid(header[part], `${part} of ${header.id}`)
  for (const { name, payload } of allJobs) assertValid(payload, name)
  assert.ok(allJobs.length > 20)
})

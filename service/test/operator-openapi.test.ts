import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { operatorApiDescription } from '../src/operator-api-description.ts'
import { operatorApiOperations } from '../src/operator-operations.ts'
import { requestErrors } from '../src/platform/api/errors/request.errors.ts'
import { openApiDocument } from '../src/platform/api/openapi/openapi.ts'
import { requestValidator } from '../src/platform/api/pipeline/validation.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads arbitrary parts of the document
type Json = any

const document: Json = openApiDocument(operatorApiDescription, operatorApiOperations)

describe('the OpenAPI document of the operator API', () => {
  test('service/operator-openapi.json matches the declared operations; npm run generate -- operator-openapi writes it', () => {
    const written = readFileSync(new URL('../operator-openapi.json', import.meta.url), 'utf8')
    assert.equal(written, `${JSON.stringify(document, null, 2)}\n`)
  })

  test('has every operation once, and the operator prefix as server', () => {
    const entries = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path))
    assert.deepEqual(
      entries.map(({ operationId }) => operationId).toSorted(),
      operatorApiOperations.map(({ header }) => header.id).toSorted(),
    )
    assert.deepEqual(
      document.servers.map(({ url }: Json) => url),
      ['/operator'],
    )
  })

  for (const operation of operatorApiOperations) {
    const { header } = operation
    const described = document.paths[header.path.replaceAll(/:(\w+)/g, '{$1}')][header.method.toLowerCase()]

    test(`${header.method} ${header.path} documents its purpose, its duty and its errors`, () => {
      assert.ok(header.summary && header.description && header.tag, 'declare summary, description and tag')
      assert.ok(
        operatorApiDescription.tags.some(({ name }) => name === header.tag),
        `${header.tag} is not a tag in operator-api-description.ts`,
      )
      const forUsers = 'duty' in header ? [requestErrors.insufficient_duty, requestErrors.token_expired] : []
      for (const { code, status } of [...header.errors, ...forUsers]) assert.ok(described.responses[status], code)
      if (!('duty' in header)) return
      assert.equal(described['x-duty'], header.duty)
      assert.match(described.description, new RegExp(`\\\`${header.duty}\\\``))
    })

    if (operation.kind === 'operator' && operation.rule)
      test(`the confirmation of ${header.method} ${header.path} documents its errors`, () => {
        const prefix = operation.database === 'cell' ? '' : 'directory-'
        const { responses } = document.paths[`/${prefix}approvals/{approvalId}/confirm`].post
        for (const { code, status } of header.errors)
          assert.ok(responses[status]?.$ref || responses[status]?.content['application/json'].examples[code], code)
      })

    if (header.body)
      test(`${header.method} ${header.path} accepts its request examples`, () => {
        const params = Object.fromEntries(
          Object.keys(header.params?.properties ?? {}).map((name) => [name, crypto.randomUUID()]),
        )
        const validate = requestValidator(operation)
        const examples = Object.values<Json>(described.requestBody.content['application/json'].examples)
        assert.ok(examples.length > 0)
        for (const { value } of examples)
          assert.deepEqual(validate({ params, query: {}, body: value, idempotencyKey: undefined }), [])
      })
  }
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { breakingChanges, type OpenApiDocument } from '../../scripts/breaking-changes.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a test edits arbitrary parts of the document
type Json = any

const readDocument = (name: string): OpenApiDocument =>
  JSON.parse(readFileSync(new URL(`../../service/${name}`, import.meta.url), 'utf8'))

const api = readDocument('openapi.json')
const operatorApi = readDocument('operator-openapi.json')

/** Returns the breaking changes of an edit of the real document. */
function brokenBy(document: OpenApiDocument, edit: (copy: Json) => void): string[] {
  const copy = structuredClone(document)
  edit(copy)
  return breakingChanges(document, copy)
}

const schema = (copy: Json, name: string): Json => copy.components.schemas[name]

describe('breaking changes of an API', () => {
  test('the same document breaks nothing', () => {
    assert.deepEqual(breakingChanges(api, api), [])
    assert.deepEqual(breakingChanges(operatorApi, operatorApi), [])
  })

  test('a removed operation breaks callers, in both APIs', () => {
    assert.deepEqual(
      brokenBy(api, ({ paths }) => delete paths['/accounts'].post),
      ['POST /accounts was removed'],
    )
    assert.deepEqual(
      brokenBy(operatorApi, ({ paths }) => delete paths['/offerings']),
      Object.keys(operatorApi.paths['/offerings'] ?? {}).map(
        (method) => `${method.toUpperCase()} /offerings was removed`,
      ),
    )
  })

  test('a member that is removed from a response, or can be missing, breaks callers', () => {
    const removed = brokenBy(api, (copy) => delete schema(copy, 'Offering').properties.symbol)
    assert.ok(removed.includes('GET /offerings/{offeringId} 200.symbol was removed'), removed.join('\n'))
    const optional = brokenBy(api, (copy) => {
      schema(copy, 'Offering').required = schema(copy, 'Offering').required.filter((name: string) => name !== 'symbol')
    })
    assert.ok(optional.includes('GET /offerings/{offeringId} 200.symbol can be missing now'), optional.join('\n'))
  })

  test('a member that a request now must have, or no longer may have, breaks callers', () => {
    const required = brokenBy(api, (copy) => schema(copy, 'NewAccount').required.push('kyc'))
    assert.deepEqual(required, ['POST /accounts request.kyc is required now'])
    const closed = brokenBy(api, (copy) => {
      schema(copy, 'NewAccount').additionalProperties = false
      delete schema(copy, 'NewAccount').properties.kyc
    })
    assert.ok(closed.includes('POST /accounts request.kyc is not accepted any more'), closed.join('\n'))
  })

  test('a narrowed enum of a request and a new value of a response break callers', () => {
    const narrowed = brokenBy(api, (copy) => schema(copy, 'NewAccount').properties.type.enum.pop())
    assert.equal(narrowed.length, 1, narrowed.join('\n'))
    assert.match(narrowed[0] ?? '', /^POST \/accounts request\.type: the value "\w+" is not accepted any more$/)
    const widened = brokenBy(api, (copy) => schema(copy, 'Offering').properties.status.enum.push('NEW_ONE'))
    assert.ok(
      widened.includes('GET /offerings/{offeringId} 200.status: the value "NEW_ONE" is new'),
      widened.join('\n'),
    )
  })

  test('a changed type breaks callers, even if it only becomes nullable', () => {
    const changed = brokenBy(api, (copy) => {
      schema(copy, 'Offering').properties.decimals.type = 'string'
    })
    assert.match(
      changed.join('\n'),
      /GET \/offerings\/\{offeringId\} 200\.decimals: the type was integer and is string/,
    )
    const nullable = brokenBy(api, (copy) => {
      const { properties } = schema(copy, 'Offering')
      properties.decimals = { anyOf: [properties.decimals, { type: 'null' }] }
    })
    assert.match(nullable.join('\n'), /200\.decimals: the type was integer and is null/)
  })

  test('stricter limits, new required parameters, scopes and duties break callers', () => {
    const stricter = brokenBy(api, (copy) => {
      const key = copy.paths['/accounts'].post.parameters.find((one: Json) => one.name === 'X-Idempotency-Key')
      key.schema.maxLength = 64
      copy.paths['/accounts'].post['x-scopes'].push('account.read')
      copy.paths['/offerings'].get.parameters.push({
        name: 'currency',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      })
    })
    assert.deepEqual(stricter.toSorted(), [
      'GET /offerings query currency is new and required',
      'POST /accounts header X-Idempotency-Key: maxLength was 128 and is 64',
      'POST /accounts needs the scope account.read now',
    ])
    const [duty] = brokenBy(operatorApi, ({ paths }) => {
      paths['/offerings'].get['x-duty'] = 'team'
    })
    assert.match(duty ?? '', /^GET \/offerings needed the duty \w+ and needs team$/)
  })

  test('what callers do not depend on breaks nothing', () => {
    const harmless = brokenBy(api, (copy) => {
      copy.paths['/new'] = { get: { responses: {} } }
      schema(copy, 'Offering').properties.new_member = { type: 'string' }
      schema(copy, 'NewAccount').properties.new_member = { type: 'string' }
      schema(copy, 'NewAccount').description = 'Another text.'
      schema(copy, 'NewAccount').properties.type.enum.push('FUND')
      copy.paths['/offerings'].get.parameters.push({ name: 'new', in: 'query', schema: { type: 'string' } })
    })
    assert.deepEqual(harmless, [])
  })

  test('a keyword that is not compared is an error, so that no change is overlooked', () => {
    assert.throws(
      () => brokenBy(api, (copy) => Object.assign(schema(copy, 'Offering'), { propertyNames: {} })),
      /uses propertyNames, which schema-changes\.ts does not compare/,
    )
  })
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { apiDescription } from '../src/api-description.ts'
import { errorTable } from '../src/error-table.ts'
import { describedOperations as operations } from '../src/operations.ts'
import { operatorApiDescription } from '../src/operator-api-description.ts'
import { operatorApiOperations } from '../src/operator-operations.ts'
import type { Operation } from '../src/platform/api/declare/operation.ts'
import { openApiDocument } from '../src/platform/api/openapi/openapi.ts'
import { addFormats, requestValidator } from '../src/platform/api/pipeline/validation.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads arbitrary parts of the document
type Json = any

const document: Json = openApiDocument(apiDescription, operations)
const operatorDocument: Json = openApiDocument(operatorApiDescription, operatorApiOperations)

const described = ({ header }: Operation): Json =>
  document.paths[header.path.replaceAll(/:(\w+)/g, '{$1}')][header.method.toLowerCase()]

const resolve = (part: Json): Json =>
  part.$ref
    ? part.$ref
        .slice(2)
        .split('/')
        .reduce((parent: Json, name: string) => parent[name], document)
    : part

/** Yields every object in the document with its JSON pointer. */
function* partsOf(value: Json, pointer = ''): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  yield [pointer, value]
  for (const [name, part] of Object.entries(value))
    yield* partsOf(part, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
}

const errorNamed = (name: string) => {
  const found = errorTable.find(({ code }) => code === name)
  assert.ok(found, name)
  return found
}

describe('the OpenAPI document', () => {
  test('service/openapi.json matches the declared operations; npm run generate -- openapi regenerates it', () => {
    const written = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
    assert.equal(written, `${JSON.stringify(document, null, 2)}\n`)
  })

  test('has every operation once, and both prefixes as servers', () => {
    const entries = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path))
    assert.deepEqual(
      entries.map(({ operationId }) => operationId).toSorted(),
      operations.map(({ header }) => header.id).toSorted(),
    )
    assert.deepEqual(
      document.servers.map(({ url }: Json) => url),
      ['/api', '/_api'],
    )
  })

  test('omits x-meaning, which is only for our error messages', () => {
    for (const [pointer, part] of partsOf(document)) assert.ok(!('x-meaning' in part), pointer)
  })

  test('every example is valid for its schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false })
    addFormats(ajv)
    ajv.addSchema({ $id: 'api', ...document })
    let count = 0
    const assertValid = (pointer: string, value: unknown) => {
      const isValid = ajv.compile({ $ref: `api#${pointer}` })
      assert.ok(isValid(value), `${pointer}: ${JSON.stringify(value)}: ${ajv.errorsText(isValid.errors)}`)
      count += 1
    }
    for (const [pointer, { schema, examples }] of partsOf(document)) {
      if (Array.isArray(examples)) for (const value of examples) assertValid(pointer, value)
      else if (schema && examples)
        for (const { value } of Object.values<Json>(examples)) assertValid(`${pointer}/schema`, value)
    }
    assert.ok(count > 200, `only ${count} examples`)
  })

  test('every error code is documented with its cause and remedy, in the API that returns it', () => {
    const operatorDescription = operatorDocument.info.description
    for (const { code, status, cause, remedy } of errorTable) {
      const line = `**${status}** \`${code}\`: ${cause} ${remedy}`
      assert.ok(document.info.description.includes(line) || operatorDescription.includes(line), code)
    }
    for (const code of [
      'route_not_found',
      'method_not_allowed',
      'request_timeout',
      'offering_sold_out',
      'invalid_client',
    ])
      assert.ok(document.info.description.includes(`\`${code}\`:`), code)
    for (const code of ['insufficient_duty', 'team_too_small', 'statement_unreadable'])
      assert.ok(!document.info.description.includes(`\`${code}\`:`), code)
    assert.ok(!operatorDescription.includes('`insufficient_scope`:'))
  })

  for (const operation of operations) {
    const { header } = operation
    const name = `${header.method} ${header.path}`

    test(`${name} has a summary, a description and a tag`, () => {
      assert.ok(header.summary && header.description && header.tag, 'declare summary, description and tag')
      assert.ok(
        apiDescription.tags.some((tag) => tag.name === header.tag),
        `${header.tag} is not a tag in api-description.ts`,
      )
      const { summary, description, tags } = described(operation)
      assert.deepEqual([summary, tags], [header.summary, [header.tag]])
      assert.ok(description.startsWith(header.description))
    })

    test(`${name} documents who may call it and whether it is an extension`, () => {
      const { security, description, 'x-scopes': scopes, 'x-extension': isExtension } = described(operation)
      assert.deepEqual(security, operation.kind === 'tenant' ? undefined : [])
      assert.deepEqual(scopes, operation.kind === 'tenant' ? header.scopes : undefined)
      for (const scope of scopes ?? []) assert.ok(description.includes(`\`${scope}\``))
      assert.equal(isExtension ?? false, header.isExtension ?? false)
    })

    test(`${name} documents every error that it or the pipeline can return`, () => {
      const { responses } = described(operation)
      const documented = (status: number): string[] =>
        Object.keys(resolve(responses[status] ?? {}).content?.['application/json'].examples ?? {})
      const expected = [
        ...header.errors,
        ...['validation_failed', 'rate_limited', 'internal_error', 'unavailable'].map(errorNamed),
        ...(operation.kind === 'tenant'
          ? ['token_missing', 'token_expired', 'insufficient_scope'].map(errorNamed)
          : []),
        ...(operation.kind === 'signed' ? [errorNamed('signature_invalid')] : []),
        ...(header.body ? ['payload_too_large', 'unsupported_media_type'].map(errorNamed) : []),
        ...(header.idempotency === 'none' ? [] : [errorNamed('idempotency_in_progress')]),
      ]
      for (const { code, status } of expected) assert.ok(documented(status).includes(code), code)
      for (const [status, response] of Object.entries<Json>(responses)) {
        const headers = Object.keys(resolve(response).headers)
        for (const common of ['X-Request-Id', 'ST-Api-Version', 'ST-Api-Version-Beta'])
          assert.ok(headers.includes(common), `${status} ${common}`)
      }
    })

    test(`${name} documents its idempotency key and its headers`, () => {
      const { parameters = [], responses } = described(operation)
      const key = parameters.find((parameter: Json) => parameter.name === 'X-Idempotency-Key')
      assert.equal(key === undefined ? 'none' : key.required ? 'required' : 'optional', header.idempotency)
      const headers = Object.keys(responses[header.success.status].headers)
      assert.equal(headers.includes('Idempotency-Replayed'), header.idempotency !== 'none')
      assert.equal(headers.includes('Location'), header.success.location !== undefined)
      assert.ok(headers.includes('RateLimit') && headers.includes('RateLimit-Policy'))
    })

    const [curl, fetchCall] = described(operation)['x-codeSamples'].map(({ source }: Json) => source)
    const bodies: unknown[] = Object.values<Json>(
      described(operation).requestBody?.content['application/json'].examples ?? {},
    ).map(({ value }) => value)

    test(`${name} accepts its request examples and the request of its TypeScript sample`, async () => {
      const { url, method = 'GET', headers, body } = await runSample(fetchCall)
      assert.equal(method, header.method)
      assert.equal(headers['authorization'], operation.kind === 'tenant' ? 'Bearer T' : undefined)
      const names = [...header.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
      const pattern = new RegExp(`^https://x/api${header.path.replaceAll(/:\w+/g, '([^/]+)')}$`)
      const values = pattern.exec(url)?.slice(1)
      assert.ok(values, url)
      const params = Object.fromEntries(names.map((parameter, index) => [parameter, values[index]]))
      const sent = body === undefined ? undefined : JSON.parse(body)
      assert.deepEqual(sent, bodies[0])
      assert.equal(headers['content-type'], body === undefined ? undefined : 'application/json')
      const validate = requestValidator(operation)
      for (const example of bodies.length > 0 ? bodies : [undefined])
        assert.deepEqual(
          validate({ params, query: {}, body: example, idempotencyKey: headers['x-idempotency-key'] }),
          [],
        )
    })

    test(`${name} has a curl sample that sends the same request`, async () => {
      const { url } = await runSample(fetchCall)
      const [address, ...options] = runShell(curl)
      assert.equal(address, url)
      const valueAfter = (option: string) => options[options.indexOf(option) + 1] ?? ''
      assert.equal(options.includes('-X') ? valueAfter('-X') : options.includes('-d') ? 'POST' : 'GET', header.method)
      assert.equal(options.includes('Authorization: Bearer T'), operation.kind === 'tenant')
      assert.equal(options.includes('X-Idempotency-Key: K'), header.idempotency !== 'none')
      assert.deepEqual(options.includes('-d') ? JSON.parse(valueAfter('-d')) : undefined, bodies[0])
    })
  }

  test('two different schemas with the same title are an error', () => {
    const [first] = operations
    assert.ok(first)
    const header = { ...first.header, success: { status: 200, body: { title: 'AuthRequest', type: 'object' } } }
    assert.throws(() => openApiDocument(apiDescription, [{ ...first, header } as Operation]), /title AuthRequest/)
  })
})

interface SampleCall {
  url: string
  method?: string
  headers: Record<string, string>
  body?: string
}

/** Runs a TypeScript sample, and returns the request that it sends. */
async function runSample(source: string): Promise<SampleCall> {
  const calls: SampleCall[] = []
  const record = async (url: string, options: Omit<SampleCall, 'url'>) => {
    calls.push({ url, ...options })
    return Response.json({})
  }
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...values: unknown[]) => unknown
  await new AsyncFunction('baseUrl', 'token', 'fetch', source)('https://x/api', 'T', record)
  assert.equal(calls.length, 1)
  return calls[0] as SampleCall
}

/** Returns the arguments that the shell passes to curl. */
function runShell(source: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; uuidgen() { echo K; }; BASE_URL=https://x/api; TOKEN=T; ${source}`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

import { versionNames } from '../../base/contract-versions.ts'
import { ProposedChange } from '../declare/approval.ts'
import { exampleOf } from '../declare/example.ts'
import type { FileType } from '../declare/file-response.ts'
import type { Operation, OperatorHeader } from '../declare/operation.ts'
import type { Upload } from '../declare/spool.ts'
import { keyLengthMax } from '../pipeline/validation.ts'
import { errorReference, errorResponses } from './openapi-errors.ts'
import { proposalHeadersOf, responseHeadersOf, successHeadersOf } from './openapi-headers.ts'
import { codeSamples } from './openapi-samples.ts'
import { type Components, type Json, publishSchema } from './openapi-schemas.ts'

/** Texts of the API reference that belong to no operation. */
export interface ApiDescription {
  readonly title: string
  readonly summary: string
  /** Markdown. A list of the errors of its operations follows it. */
  readonly text: string
  /** Tags in the order of the reference. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Path prefixes. Each serves all operations. */
  readonly prefixes: readonly string[]
  /** Way to get a token, and its format. */
  readonly bearer: { readonly bearerFormat?: string; readonly description: string }
}

/** Generates the OpenAPI document of these operations from their headers. */
export function openApiDocument(description: ApiDescription, operations: readonly Operation[]): Json {
  const components: Components = { schemas: {}, responses: {} }
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = operation.header.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [operation.header.method.toLowerCase()]: describeOperation(operation, operations, components),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: description.title,
      summary: description.summary,
      description: `${description.text}\n\n${errorReference(operations)}\n`,
      version: versionNames.at(-1),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: description.prefixes.map((url) => ({ url, description: 'Serves every operation.' })),
    security: [{ bearer: [] }],
    tags: description.tags,
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', ...description.bearer },
      },
      headers: responseHeadersOf(operations),
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
    },
  }
}

function describeOperation(operation: Operation, operations: readonly Operation[], components: Components): Json {
  const { header } = operation
  const bodies = bodyExamplesOf(operation)
  const parameters = [...keyParameter(operation), ...resumeParameter(operation), ...parametersOf(operation, components)]
  return {
    operationId: header.id,
    summary: header.summary,
    description: descriptionOf(operation),
    ...(header.tag ? { tags: [header.tag] } : {}),
    ...(header.isExtension ? { 'x-extension': true } : {}),
    ...permissionOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(header.body ? { requestBody: { required: true, content: jsonContent(header.body, bodies, components) } } : {}),
    ...(header.upload ? { requestBody: fileBody(header.upload) } : {}),
    responses: {
      [header.success.status]: {
        description: header.success.status === 201 ? 'Created.' : 'OK.',
        headers: successHeadersOf(operation),
        content: header.success.stream
          ? { [header.success.stream]: { schema: publishSchema(header.success.body, components) } }
          : header.success.file
            ? filesContent([header.success.file, ...(header.success.otherFiles ?? [])])
            : jsonContent(header.success.body, { success: exampleOf(header.success.body) }, components),
      },
      ...proposalResponse(operation, components),
      ...errorResponses(operation, operations, components),
    },
    'x-codeSamples': codeSamples(operation, Object.values(bodies)[0]),
  }
}

/** Returns the response for a request that a second person must confirm first. */
function proposalResponse(operation: Operation, components: Components): Json {
  const approval = operation.kind === 'operator' ? operation.header.approval : undefined
  if (approval !== 'policy' && approval !== 'always') return {}
  return {
    202: {
      description: 'Stored until a second person confirms it; nothing has changed yet.',
      headers: proposalHeadersOf(operation),
      content: jsonContent(ProposedChange, { proposed: exampleOf(ProposedChange) }, components),
    },
  }
}

function descriptionOf(operation: Operation): string {
  const { header } = operation
  const ours = header.isExtension ? ['An addition to the specification.'] : []
  return [header.description ?? header.summary, requirementOf(operation), ...ours].join('\n\n')
}

function requirementOf(operation: Operation): string {
  if (operation.kind === 'public') return 'Needs no token.'
  if (operation.kind === 'signed') return 'Needs no token: the signature over the body identifies the sender.'
  if (operation.kind === 'operator' || operation.kind === 'stream') return operatorRequirementOf(operation.header)
  return `Needs the scope ${operation.header.scopes.map((scope) => `\`${scope}\``).join(' or ')}.`
}

function operatorRequirementOf({ duty, session, approval }: OperatorHeader): string {
  return [
    `Needs the duty \`${duty}\`.`,
    ...(session === 'person' ? ['Needs a signed-in person; a personal access token is not enough.'] : []),
    ...(session === 'passkey' ? ['Needs a signed-in person who has used a passkey in the last five minutes.'] : []),
    ...(approval === 'always' ? ['A second person must confirm it.'] : []),
    ...(approval === 'policy' ? ['A second person must confirm it where the policies of the tenant say so.'] : []),
  ].join(' ')
}

function permissionOf(operation: Operation): Json {
  if (operation.kind === 'public' || operation.kind === 'signed') return { security: [] }
  return operation.kind === 'tenant' ? { 'x-scopes': operation.header.scopes } : { 'x-duty': operation.header.duty }
}

/** Returns the named examples of the operation, or else one generated from its schema. */
function bodyExamplesOf({ header }: Operation): Readonly<Record<string, unknown>> {
  if (!header.body) return {}
  return header.bodyExamples ?? { request: exampleOf(header.body) }
}

function fileBody({ mediaTypes, description }: Upload): Json {
  const content = mediaTypes.map((type) => [type, { schema: { type: 'string', description } }])
  return { required: true, description, content: Object.fromEntries(content) }
}

function filesContent(files: readonly FileType[]): Json {
  return Object.fromEntries(files.map((file) => [file, { schema: fileSchema(file) }]))
}

function fileSchema(file: FileType): Json {
  const isBinary = file === 'application/octet-stream' || file === 'application/pdf'
  return { type: 'string', ...(isBinary && { format: 'binary' }) }
}

function jsonContent(schema: unknown, examples: Readonly<Record<string, unknown>>, components: Components): Json {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }])
  return {
    'application/json': { schema: publishSchema(schema, components), examples: Object.fromEntries(named) },
  }
}

function parametersOf({ header }: Operation, components: Components): Json[] {
  const ofPart = (location: 'path' | 'query', schema: typeof header.params): Json[] =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const published = publishSchema(property, components) as Json
      const { description, 'x-extension': isExtension, ...rest } = published
      return {
        name,
        in: location,
        required: schema?.required?.includes(name) ?? false,
        description,
        ...(isExtension ? { 'x-extension': true } : {}),
        // Values are separated by commas.
        ...(rest['type'] === 'array' ? { style: 'form', explode: false } : {}),
        schema: rest,
      }
    })
  return [...ofPart('path', header.params), ...ofPart('query', header.query)]
}

function keyParameter({ header: { idempotency } }: Operation): Json[] {
  if (idempotency === 'none') return []
  return [
    {
      name: 'X-Idempotency-Key',
      in: 'header',
      required: idempotency === 'required',
      description:
        'A value that you choose: unique for each new request, and the same for every retry of it. A retry has no ' +
        'further effect and gets the response of the first request.',
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: keyLengthMax,
        examples: ['3d7c3c0e-5f0b-4f0e-9b62-1f8a4c1f7a11'],
      },
    },
  ]
}

/** Position at which a stream continues. A browser sends it itself when it reconnects. */
function resumeParameter({ header: { success } }: Operation): Json[] {
  if (!success.stream) return []
  return [
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The `id` of the last message that you have received. The stream continues after it.',
      schema: { type: 'string', pattern: '^\\d{1,15}$', examples: ['4711'] },
    },
  ]
}

function sorted(components: Json): Json {
  return Object.fromEntries(Object.entries(components).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

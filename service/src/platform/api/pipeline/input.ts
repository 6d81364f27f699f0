import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Header, ValidatedInput } from '../declare/operation.ts'
import { type Spool, type SpooledFile, spooled, tooLarge, type Upload } from '../declare/spool.ts'
import { validationFailed } from '../errors/errors.ts'
import { parseJsonBody, requireMediaType } from './json-body.ts'
import { readQuery } from './query.ts'
import { requestValidator } from './validation.ts'

/**
 * Parses and validates a request, receives its file, takes its slot if its body was still arriving, and calls `work`
 * with the result; throws 400, 413, 415, 429 or 503.
 */
export type WithInput = <Result>(
  request: FastifyRequest,
  work: (input: ValidatedInput) => Promise<Result>,
) => Promise<Result>

/** Compiles the header's schemas once. Only an operation that receives files needs a spool. */
export function inputReader(header: Header, spool?: Spool): WithInput {
  const validate = requestValidator({ header })
  const { upload } = header
  if (!upload)
    return async (request, work) => {
      const input = readInput(header, validate, request)
      request.slot?.begin()
      return work(input)
    }
  return async (request, work) => {
    // The rest of the request is validated before the first byte of the file is received.
    const input = readInput(header, validate, request)
    return receiveFile({ ...upload, spool }, request, (file) => work({ ...input, file }))
  }
}

function readInput(
  header: Header,
  validate: ReturnType<typeof requestValidator>,
  request: FastifyRequest,
): ValidatedInput {
  const { headers } = request
  // An operation without a body ignores any body, so that clients which always send a Content-Type can call it.
  const body =
    header.body &&
    parseJsonBody(headers['content-type'], headers['content-encoding'], request.body, valuesMaxOf(request))
  const rawParams = request.params as Record<string, string>
  const query = readQuery(header.query, request.query as Record<string, unknown>)
  const failures = validate({ params: rawParams, query, body, idempotencyKey: idempotencyKeyOf(request) })
  if (failures.length > 0) throw validationFailed(failures)
  // The contract accepts ids in any case; past this line there is one spelling.
  const lowerCase = Object.entries(rawParams).map(([name, id]) => [name, id.toLowerCase()])
  return { params: Object.fromEntries(lowerCase) as Record<string, string>, query, body, file: undefined }
}

/** A caller without a token has little to send, and must not make us parse and validate much. */
function valuesMaxOf({ caller, routeOptions }: FastifyRequest): number {
  const isStranger = !caller && routeOptions.config.operation?.kind === 'public'
  return isStranger ? 200 : Number.POSITIVE_INFINITY
}

export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  return request.headers['x-idempotency-key'] as string | undefined
}

/** Runs after all checks: we receive a file only from a permitted caller, and at most the declared size. */
async function receiveFile<Result>(
  upload: Upload & { readonly spool: Spool | undefined },
  { headers, body, caller }: FastifyRequest,
  work: (file: SpooledFile) => Promise<Result>,
): Promise<Result> {
  if (!body) throw validationFailed([{ detail: 'The request needs a file as its body.', pointer: '' }])
  requireMediaType(headers['content-type'], headers['content-encoding'], upload.mediaTypes)
  if (Number(headers['content-length'] ?? 0) > upload.bytesMax) throw tooLarge(upload.bytesMax)
  const { bytesMax, spool } = upload
  // Destroying the body of an oversized file would destroy the connection before the response.
  const incoming = (body as Readable).iterator({ destroyOnReturn: false })
  return spooled(incoming, { bytesMax, spool, tenantId: caller?.tenantId ?? '' }, work)
}

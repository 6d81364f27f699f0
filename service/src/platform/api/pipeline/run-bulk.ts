import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type BulkItem, type BulkResult, memberOf } from '../declare/bulk.ts'
import type { OperatorCellOperation, OperatorContext, ValidatedInput } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { asApiError } from '../errors/error-responses.ts'
import { ApiError } from '../errors/errors.ts'
import { limitCaller, operatorBucket } from '../rate-limit/rate-limit.ts'
import { operatorOf } from './admission.ts'
import { canonicalJson } from './idempotency.ts'
import { idempotencyKeyOf, inputReader } from './input.ts'
import { operatorItemRunner } from './run-in-cell.ts'
import type { Proposals } from './run-proposed.ts'
import { type Runner, serializerOf, successResponse } from './runner.ts'

/**
 * Runs the items of a bulk request one after the other, each as a request of its operation. Each counts against the
 * rate limit: an item that exceeds it is rejected, and those before it stand.
 */
export function bulkRunner(
  { header }: OperatorCellOperation,
  item: OperatorCellOperation,
  services: PipelineServices,
  proposals: Proposals<OperatorContext>,
): Runner {
  const withInput = inputReader(header)
  const run = operatorItemRunner(item, services, proposals)
  return (request, reply, prefix) =>
    withInput(request, async ({ body }) => {
      const { items } = body as { items: readonly BulkItem[] }
      const results: BulkResult[] = []
      for (const one of items)
        results.push(
          await resultOf(request.log, async () => {
            // The bulk request has counted for its first item.
            if (results.length > 0) await limitCaller(services.rateLimiter, operatorBucket(operatorOf(request)), reply)
            return run(request, inputOf(item, one), {
              prefix,
              key: itemKeyOf(request, one),
              serialize: (_status, result) => JSON.stringify(result),
            })
          }),
        )
      return successResponse(header, serializerOf(reply), { results })
    })
}

/** Builds the input of a single request with this item. Ids are in lower case, like those in a path. */
function inputOf({ header }: OperatorCellOperation, { body, ...members }: BulkItem): ValidatedInput {
  const params = Object.keys(header.params?.properties ?? {}).map((name) => [
    name,
    String(members[memberOf(name)]).toLowerCase(),
  ])
  const query = Object.keys(header.query?.properties ?? {})
    .filter((name) => members[name] !== undefined)
    .map((name) => [name, members[name]])
  return { params: Object.fromEntries(params), query: Object.fromEntries(query), body, file: undefined }
}

/**
 * Returns the same key for the same item under the same key of the bulk request, so that an interrupted bulk request
 * can be repeated. Of several equal items, all but the first replay its response.
 */
function itemKeyOf(request: FastifyRequest, item: BulkItem): string | undefined {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return undefined
  return createHash('sha256')
    .update(`${key}\0${canonicalJson(item)}`)
    .digest('base64url')
}

async function resultOf(
  log: FastifyRequest['log'],
  run: () => Promise<{ status: number; text: string }>,
): Promise<BulkResult> {
  try {
    const { status, text } = await run()
    const body = JSON.parse(text)
    if (status === 202) return { status, result: null, approval_id: body.approval_id, error: null }
    return { status, result: body, approval_id: null, error: null }
  } catch (error) {
    const apiError = asApiError(error)
    if (!(error instanceof ApiError)) log.error({ err: error, code: apiError.code }, 'an item of a request failed')
    const { type, message, code } = apiError.toBody().error
    return { status: apiError.status, result: null, approval_id: null, error: { type, message, code } }
  }
}

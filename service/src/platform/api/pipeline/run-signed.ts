import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inTenantTransaction } from '../../postgres/cells/tenant-transaction.ts'
import type { SignedOperation, VerifiedRequest } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { addressBucket, guardAddress, limitCaller, senderBucket } from '../rate-limit/rate-limit.ts'
import { inputReader } from './input.ts'
import { type Runner, serializerOf, successResponse } from './runner.ts'

/** Runs a signed operation in a transaction of its sender's tenant. */
export function signedRunner(operation: SignedOperation, services: PipelineServices): Runner {
  const { header } = operation
  const withInput = inputReader(header)
  return async (request, reply) => {
    const { sender, run } = await requireSender(operation, request, reply, services)
    const { tenantId } = sender
    return withInput(request, async (input) => {
      const now = services.clock()
      return inTenantTransaction(services, { tenantId, access: 'write' }, async (tx) => {
        const context = { tenantId, tx, vault: services.vaults.of(tx, tenantId), now }
        return successResponse(header, serializerOf(reply), await run(input, context))
      })
    })
  }
}

/**
 * Identifies the sender by its signature, or throws 401. Runs before the body is parsed: a caller that cannot sign
 * learns nothing from the response or its timing.
 */
async function requireSender(
  { verify }: SignedOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  services: PipelineServices,
): Promise<VerifiedRequest> {
  const { rateLimiter } = services
  const respondAt = performance.now() + rejectionMs
  // A client that guesses is rejected without a query.
  if (rateLimiter.isKnownFull(addressBucket(request.ip))) await guardAddress(rateLimiter, request.ip)
  const params = request.params as Record<string, string>
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const verified = await verify({ params, headers: request.headers, body }, services)
  if (!verified) {
    await guardAddress(rateLimiter, request.ip)
    await sleep(Math.max(0, respondAt - performance.now()))
    throw new ApiError(
      requestErrors.signature_invalid,
      'The signature is missing, not from a known sender, or too old.',
      { headers: { 'www-authenticate': 'Signature' } },
    )
  }
  const { id: callerId, tenantId } = verified.sender
  request.slot?.identify({ party: { tenantId, callerId }, isArriving: false })
  await limitCaller(rateLimiter, senderBucket(verified.sender.id), reply)
  return verified
}

// Longer than it takes to find a sender on a busy database.
const rejectionMs = 100

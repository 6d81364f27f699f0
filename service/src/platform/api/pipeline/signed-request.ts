import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Sender, SignedOperation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { addressBucket, guardAddress, rateLimited, rateLimitHeaders } from '../rate-limit/rate-limit.ts'

/**
 * Who has signed the request, or 401. Looked at before anything in the body is read: whoever cannot sign learns
 * nothing, neither from what is answered nor from how long it takes.
 */
export async function requireSender(
  { verify }: SignedOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  services: PipelineServices,
): Promise<Sender> {
  const { rateLimiter } = services
  const answerAt = performance.now() + refusalMs
  // Who guesses is refused before a database is asked.
  if (rateLimiter.isKnownFull(addressBucket(request.ip))) await guardAddress(rateLimiter, request.ip)
  const params = request.params as Record<string, string>
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const sender = await verify({ params, headers: request.headers, body }, services)
  if (!sender) {
    await guardAddress(rateLimiter, request.ip)
    await sleep(Math.max(0, answerAt - performance.now()))
    throw new ApiError(
      requestErrors.signature_invalid,
      'Nobody whom we know has signed this request, or not in time.',
      {
        headers: { 'www-authenticate': 'Signature' },
      },
    )
  }
  const decision = await rateLimiter.take({ key: `sender:${sender.id}`, limit: requestsPerSenderMax })
  reply.headers(rateLimitHeaders(decision))
  if (!decision.accepted) throw rateLimited(decision)
  return sender
}

// Longer than looking up a sender takes on a busy database.
const refusalMs = 100
// A hundred a second: far more than anybody sells, and few enough that a sender gone wild leaves room for others.
const requestsPerSenderMax = 6_000

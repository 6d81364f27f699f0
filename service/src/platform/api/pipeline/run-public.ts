import type { PublicContext, PublicOperation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { inputReader } from './input.ts'
import { type Runner, successResponse } from './runner.ts'

/** Runs an operation without a token. It opens its own transactions. */
export function publicRunner({ header, run }: PublicOperation, services: PipelineServices): Runner {
  const withInput = inputReader(header)
  return (request, reply) =>
    withInput(request, async (input) => {
      const addHeaders = (headers: Record<string, string>) => void reply.headers(headers)
      const context: PublicContext = { ...services, sourceAddress: request.ip, now: services.clock(), addHeaders }
      return successResponse(header, reply, await run(input, context))
    })
}

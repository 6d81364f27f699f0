import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Operation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { type Admission, admitIntegrator, admitOperator } from './admission.ts'
import { operatorCellRunner, tenantRunner } from './run-in-cell.ts'
import { operatorDirectoryRunner } from './run-in-directory.ts'
import { proposedRunner } from './run-proposed.ts'
import { publicRunner } from './run-public.ts'
import { signedRunner } from './run-signed.ts'
import type { Runner } from './runner.ts'
import { serializerSchema } from './serializer-schema.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/**
 * Serves the operations under each prefix. The order of checks is the same for all of them:
 *
 * 1. The router finds the operation by method and path.
 * 2. Admission, before any byte of the body is read: bearer token, rate limit, then scope or role. Public and signed
 *    operations have no token and skip it.
 * 3. For a signed operation: the signature over the raw body, then the rate limit of the sender.
 * 4. Validation of the whole request: media type, JSON, idempotency key, path, query and body.
 * 5. For an upload: the file is received.
 * 6. The handler, in its transaction and at most once per idempotency key.
 *
 * So a caller without a token learns nothing, and a rejected request costs little. Admission is step 2 and the runner
 * of each kind of operation steps 3 to 6.
 */
export function serveOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  prefixes: readonly string[],
  services: PipelineServices,
): void {
  const runnerOf = runnersOf(operations, services)
  for (const operation of operations) {
    const admit = admissionOf(operation, services)
    const run = runnerOf(operation)
    for (const prefix of prefixes) addRoute(app, operation, routeOf(operation, prefix, admit, run))
  }
}

function admissionOf(operation: Operation, services: PipelineServices): Admission | undefined {
  switch (operation.kind) {
    case 'tenant':
      return admitIntegrator(operation.header, services)
    case 'operator':
      return admitOperator(operation.header, services)
    case 'public':
    case 'signed':
      return undefined
  }
}

function runnersOf(operations: readonly Operation[], services: PipelineServices): (operation: Operation) => Runner {
  const forOperators = operations.filter((operation) => operation.kind === 'operator')
  const runInCell = proposedRunner(
    forOperators.filter((operation) => operation.database === 'cell'),
    services,
  )
  const runInDirectory = proposedRunner(
    forOperators.filter((operation) => operation.database === 'directory'),
    services,
  )
  return (operation) => {
    switch (operation.kind) {
      case 'tenant':
        return tenantRunner(operation, services)
      case 'operator':
        return operation.database === 'cell'
          ? operatorCellRunner(operation, services, runInCell)
          : operatorDirectoryRunner(operation, services, runInDirectory)
      case 'public':
        return publicRunner(operation, services)
      case 'signed':
        return signedRunner(operation, services)
    }
  }
}

function routeOf(operation: Operation, prefix: string, admit: Admission | undefined, run: Runner): RouteOptions {
  const { method, path, success } = operation.header
  const type = `${success.file ?? 'application/json'}; charset=utf-8`
  return {
    method,
    url: prefix + path,
    config: { operation },
    schema: { response: { [success.status]: serializerSchema(success.body) } },
    ...(admit ? { onRequest: admit } : {}),
    handler: async (request, reply) => {
      const { status, text, headers } = await run(request, reply, prefix)
      return reply.status(status).headers(headers).type(type).send(text)
    },
  }
}

/**
 * A route that takes a file receives it as a stream, so that it is never in memory as a whole. All other bodies are
 * small and arrive as bytes.
 */
function addRoute(app: FastifyInstance, { header }: Operation, route: RouteOptions): void {
  if (!header.upload) {
    app.route(route)
    return
  }
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.route(route)
  })
}

import type { FastifyInstance, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { FileType } from '../declare/file-response.ts'
import type { Header, Operation, OperatorStream } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { type Admission, admitIntegrator, admitOperator } from './admission.ts'
import { bulkRunner } from './run-bulk.ts'
import { operatorCellRunner, tenantRunner } from './run-in-cell.ts'
import { operatorDirectoryRunner } from './run-in-directory.ts'
import { proposalsOf } from './run-proposed.ts'
import { publicRunner } from './run-public.ts'
import { signedRunner } from './run-signed.ts'
import { streamHandler } from './run-stream.ts'
import type { Runner } from './runner.ts'
import { lazySerializer } from './serializer-schema.ts'
import { streamFile } from './stream-file.ts'
import type { Streams } from './streams.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/**
 * Serves the operations under each prefix. The order of checks is the same for all of them:
 *
 * 1. The router finds the operation by method and path.
 * 2. Admission, before any byte of the body is read: bearer token, rate limit, then scope (integrators) or duty
 *    (operators). Public and signed operations have no token and skip it.
 * 3. For a signed operation: the signature over the raw body, then the rate limit of the sender.
 * 4. Validation of the whole request: media type, JSON, idempotency key, path, query and body.
 * 5. For an upload: the file is received.
 * 6. The handler, in its transaction and at most once per idempotency key.
 * 7. For operators: the masked fields of the result are masked.
 *
 * A stream is admitted and validated in the same way, but has no transaction, and its response does not end.
 *
 * So a caller without a token learns nothing, and a rejected request costs little. `Admission` is step 2; the runner of
 * each kind of operation performs steps 3 to 7.
 */
export function serveOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  prefixes: readonly string[],
  services: PipelineServices,
  streams: Streams,
): void {
  const runnerOf = runnersOf(operations, services)
  for (const operation of operations) {
    const admit = admissionOf(operation, services)
    const handlerOf =
      operation.kind === 'stream'
        ? () => streamHandler(operation, streams)
        : responder(operation.header, services, runnerOf(operation))
    for (const prefix of prefixes) addRoute(app, operation, routeOf(operation, prefix, admit, handlerOf(prefix)))
  }
}

function admissionOf(operation: Operation, services: PipelineServices): Admission | undefined {
  switch (operation.kind) {
    case 'tenant':
      return admitIntegrator(operation.header, services)
    case 'operator':
    case 'stream':
      return admitOperator(operation.header, services)
    case 'public':
    case 'signed':
      return undefined
  }
}

function runnersOf(operations: readonly Operation[], services: PipelineServices): (operation: RunOperation) => Runner {
  const forOperators = operations.filter((operation) => operation.kind === 'operator')
  const inCell = proposalsOf(
    forOperators.filter((operation) => operation.database === 'cell'),
    services,
  )
  const inDirectory = proposalsOf(
    forOperators.filter((operation) => operation.database === 'directory'),
    services,
  )
  return (operation) => {
    switch (operation.kind) {
      case 'tenant':
        return tenantRunner(operation, services)
      case 'operator':
        if (operation.database === 'directory') return operatorDirectoryRunner(operation, services, inDirectory)
        return operation.item
          ? bulkRunner(operation, operation.item, services, inCell)
          : operatorCellRunner(operation, services, inCell)
      case 'public':
        return publicRunner(operation, services)
      case 'signed':
        return signedRunner(operation, services)
    }
  }
}

/** All operations except streams, whose responses do not end. */
type RunOperation = Exclude<Operation, OperatorStream>

/** Responds with the result of the operation. */
function responder(
  { success }: Header,
  services: PipelineServices,
  run: Runner,
): (prefix: string) => RouteHandlerMethod {
  const declared = contentTypeOf(success.file ?? 'application/json')
  return (prefix) => async (request, reply) => {
    const { status, text, headers, bytes, type, file } = await run(request, reply, prefix)
    return reply
      .status(status)
      .headers(headers)
      .type(type ? contentTypeOf(type) : declared)
      .send(file ? streamFile(request, file, services) : (bytes ?? text))
  }
}

function contentTypeOf(file: FileType): string {
  const isText = file !== 'application/octet-stream' && file !== 'application/pdf'
  return isText ? `${file}; charset=utf-8` : file
}

function routeOf(
  operation: Operation,
  prefix: string,
  admit: Admission | undefined,
  handler: RouteHandlerMethod,
): RouteOptions {
  const { method, path, success } = operation.header
  return {
    method,
    url: prefix + path,
    config: { operation },
    schema: { response: { [success.status]: success.body } },
    serializerCompiler: lazySerializer,
    ...(admit ? { onRequest: admit } : {}),
    handler,
  }
}

/**
 * A route that takes a file receives it as a stream, so that the whole file is never in memory. All other bodies are
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

import type { RouteHandlerMethod } from 'fastify'
import type { OperatorStream } from '../declare/operation.ts'
import { validationFailed } from '../errors/errors.ts'
import { operatorOf } from './admission.ts'
import { inputReader } from './input.ts'
import type { Streams } from './streams.ts'

/**
 * Responds with a stream. Sending the first byte frees the request's slot, as for any response, so a stream never
 * counts as a request in progress, however long it lasts.
 */
export function streamHandler(operation: OperatorStream, streams: Streams): RouteHandlerMethod {
  const withInput = inputReader(operation.header)
  return (request, reply) =>
    withInput(request, async ({ query }) => {
      const after = lastEventIdOf(request.headers['last-event-id']) ?? (query as { after?: number }).after
      const { body } = await streams.open(operation, operatorOf(request), after)
      // A proxy that buffers responses would delay messages. The connection ends with the stream, so that none stays
      // open while the process stops.
      const headers = { 'x-accel-buffering': 'no', connection: 'close' }
      return reply.status(200).headers(headers).type('text/event-stream; charset=utf-8').send(body)
    })
}

function lastEventIdOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const isPosition = typeof header === 'string' && /^\d{1,15}$/.test(header)
  if (isPosition) return Number(header)
  throw validationFailed([{ header: 'Last-Event-ID', detail: 'The header Last-Event-ID must be the id of a message.' }])
}

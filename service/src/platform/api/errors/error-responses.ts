import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../../db/sql-errors.ts'
import { bodyBytesMax, headerBytesMax, standardHeaders } from '../server/transport.ts'
import type { Versions } from '../server/versions.ts'
import { ApiError, unavailable, validationFailed } from './errors.ts'
import { requestErrors } from './request.errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error it was answered with, for the log. */
    refusal: string | undefined
  }
}

/** The error handler of the server. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = asApiError(error)
  request.refusal = answer.code
  // What we refuse on purpose needs no stack, least of all under load.
  if (answer.status >= 500 && !(error instanceof ApiError))
    request.log.error({ err: error, status: answer.status, code: answer.code }, 'request failed')
  reply
    .status(answer.status)
    .headers(answer.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(answer.toBody())
}

/** Everything that can be thrown on the way to an answer, as a refusal with nothing of ours in it. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return unavailable('A database does not answer. Try again shortly.')
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ApiError(requestErrors.payload_too_large, `The body is larger than ${bodyBytesMax / 1024} KiB.`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError(
      requestErrors.unsupported_media_type,
      'The Content-Type header cannot be read: send application/json.',
    )
  // What is left of Fastify's own 4xx is about how the request is written: its URL, its length, its end.
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500)
    return validationFailed([
      { detail: 'The request cannot be read: its path, length or body is malformed.', parameter: 'path' },
    ])
  return new ApiError(
    requestErrors.internal_error,
    'Something went wrong on our side. Tell us the X-Request-Id if it happens again.',
  )
}

/** What Node's parser refuses never becomes a request, so the answer is written to the socket by hand. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, versions: Versions): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) return void socket.destroy()
  const answer = asBrokenRequest(error.code)
  const body = JSON.stringify(answer.toBody())
  const headers = {
    ...standardHeaders(randomUUID(), versions),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${body}`)
}

function asBrokenRequest(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(
      requestErrors.headers_too_large,
      `The request line and headers are larger than ${headerBytesMax / 1024} KiB.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError(requestErrors.request_timeout, 'The request did not arrive in time.')
  return new ApiError(
    requestErrors.validation_failed,
    'This is not a request in HTTP/1.1: a header or the request line is malformed.',
  )
}

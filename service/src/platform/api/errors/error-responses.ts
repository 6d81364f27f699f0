import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { bodyBytesMax, headerBytesMax, standardHeaders } from '../../base/transport.ts'
import type { Versions } from '../../base/versions.ts'
import { CellClosed } from '../../postgres/cells/closed-cells.ts'
import { DatabaseUnavailable } from '../../postgres/sql-errors.ts'
import { ApiError, type PresentedIdentity, unavailable, validationFailed } from './errors.ts'
import { requestErrors } from './request.errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the error response, for the log. */
    errorCode: string | undefined
    /** Identity that a rejected caller claims, for the log. */
    presented: PresentedIdentity | undefined
  }
}

/** The error handler of the server. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const apiError = asApiError(error)
  request.errorCode = apiError.code
  request.presented = apiError.presented
  // A deliberate rejection such as an overload needs no stack trace, least of all under load.
  if (apiError.status >= 500 && !(error instanceof ApiError))
    request.log.error({ err: error, status: apiError.status, code: apiError.code }, 'request failed')
  reply
    .status(apiError.status)
    .headers(apiError.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(apiError.toBody())
}

/** Converts anything that a request can throw into an error that shows nothing internal. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof CellClosed) return unavailable('The database of your tenant is being upgraded. Retry shortly.')
  if (error instanceof DatabaseUnavailable) return unavailable('A database is not responding. Retry shortly.')
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ApiError(requestErrors.payload_too_large, `The body is larger than ${bodyBytesMax / 1024} KiB.`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError(
      requestErrors.unsupported_media_type,
      'The Content-Type header is malformed: send application/json.',
    )
  // Fastify's other 4xx errors are about a malformed URL, length or end of the request.
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500)
    return validationFailed([
      { detail: 'The request is malformed: check its path, length and body.', parameter: 'path' },
    ])
  return new ApiError(
    requestErrors.internal_error,
    'An internal error occurred. If it happens again, contact us with the X-Request-Id.',
  )
}

/**
 * Input that Node's HTTP parser rejects never becomes a request, so this writes the response to the socket directly.
 */
export function sendMalformedRequest(error: NodeJS.ErrnoException, socket: Socket, versions: Versions): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) return void socket.destroy()
  const apiError = parserError(error.code)
  const body = JSON.stringify(apiError.toBody())
  const headers = {
    ...standardHeaders(randomUUID(), versions),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}\r\n${lines.join('')}\r\n${body}`)
  closeConnection(socket)
}

/** Rejects a request that takes too long to arrive. */
export function sendRequestTimeout(socket: Socket, versions: Versions): void {
  sendMalformedRequest({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket, versions)
}

/**
 * Closes both directions. Ending only our side would keep the connection open for as long as the client keeps its own.
 * So would waiting for a client that never reads.
 */
function closeConnection(socket: Socket): void {
  socket.destroySoon()
  setTimeout(() => socket.destroy(), readErrorMs).unref()
}

const readErrorMs = 2_000

function parserError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(
      requestErrors.headers_too_large,
      `The request line and headers are larger than ${headerBytesMax / 1024} KiB.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError(requestErrors.request_timeout, 'The request did not arrive before the timeout.')
  return new ApiError(
    requestErrors.validation_failed,
    'This is not an HTTP/1.1 request: a header or the request line is malformed.',
  )
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../../postgres/transaction.ts'
import type { RequestAudit } from '../declare/audit.ts'
import { type FileInParts, type FileResponse, fileHeaders } from '../declare/file-response.ts'
import type { Header } from '../declare/operation.ts'
import { hasJsonRows, pageBytes } from '../declare/page.ts'
import type { OperationResponse } from './idempotency.ts'

/**
 * Runs one operation for one request. Each kind of operation has its own runner, chosen when its route is registered.
 * `prefix` is the one that the request's path starts with.
 */
export type Runner = (request: FastifyRequest, reply: FastifyReply, prefix: string) => Promise<OperationResponse>

export function accessOf({ method, isRead }: Header): Access {
  return method === 'GET' || isRead ? 'read' : 'write'
}

export type Serialize = (status: number, result: unknown) => string

/** Serializes with the response schema of the request's route. */
export function serializerOf(reply: FastifyReply): Serialize {
  return (status, result) => reply.status(status).serialize(result) as string
}

/** Serializes inside the transaction: a result that cannot be serialized rolls everything back. */
export function successResponse({ success }: Header, serialize: Serialize, result: unknown): OperationResponse {
  const { status, file } = success
  // assertDeclared makes sure that an operation with `file` declares one of these as its result.
  if (file) return fileResponse(status, result as FileResponse | FileInParts)
  if (hasJsonRows(result))
    return { status, text: '', headers: {}, bytes: pageBytes(result, (around) => serialize(status, around)) }
  return { status, text: serialize(status, result), headers: {} }
}

function fileResponse(status: number, file: FileResponse | FileInParts): OperationResponse {
  const headers = fileHeaders(file)
  const response = { status, text: '', headers, ...(file.type && { type: file.type }) }
  if (!('content' in file)) return { ...response, headers: { ...headers, 'content-length': String(file.bytes) }, file }
  const { content } = file
  return { ...response, ...(typeof content === 'string' ? { text: content } : { bytes: content }) }
}

/** A write of an operator user must report what it changed, or that nothing changed. */
export function requireReport({ id }: Header, trail: RequestAudit): void {
  if (trail.isSilent) throw new Error(`${id} reported nothing to the audit log`)
}

import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { inTenantTransaction } from '../../db/tenant-transaction.ts'
import type { FileInParts } from '../declare/file-response.ts'
import type { PipelineServices } from '../declare/services.ts'
import { operatorOf } from './admission.ts'

/**
 * Reads the next part of a file when the caller has taken the one before it. If a part cannot be read, the connection
 * is closed: the response is then shorter than its Content-Length says.
 */
export function streamFile(
  request: FastifyRequest,
  { partCount, readPart }: FileInParts,
  services: PipelineServices,
): Readable {
  const { tenantId } = operatorOf(request)
  async function* parts() {
    for (let index = 0; index < partCount; index += 1)
      yield Buffer.from(
        await inTenantTransaction(services, { tenantId, access: 'read' }, (tx) =>
          readPart(index, { tx, vault: services.vaults.of(tx, tenantId) }),
        ),
      )
  }
  // One part at a time: Readable.from() would otherwise read 16 ahead.
  return Readable.from(parts(), { objectMode: false, highWaterMark: 1 })
}

import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { inTenantTransaction } from '../../postgres/cells/tenant-transaction.ts'
import type { FileInParts } from '../declare/file-response.ts'
import type { PipelineServices } from '../declare/services.ts'
import { operatorOf } from './admission.ts'

/**
 * Reads the next part of a file once the caller has taken the previous one. If a part cannot be read, closes the
 * connection: the response is then shorter than its Content-Length.
 */
export function streamFile(
  request: FastifyRequest,
  { partCount, readPart }: FileInParts,
  services: PipelineServices,
): Readable {
  const { tenantId } = operatorOf(request)
  async function* parts() {
    for (let index = 0; index < partCount; index += 1)
      yield await inTenantTransaction(services, { tenantId, access: 'read' }, (tx) =>
        readPart(index, { tx, vault: services.vaults.of(tx, tenantId) }),
      )
  }
  // One part at a time: Readable.from() would otherwise read 16 ahead.
  return Readable.from(parts(), { objectMode: false, highWaterMark: 1 })
}

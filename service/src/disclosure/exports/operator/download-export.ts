import { FileInParts } from '../../../platform/api/declare/file-response.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { exportErrors } from '../export.errors.ts'
import { ExportPath } from '../export.schema.ts'
import { type ExportRow, lockExport } from '../export.sql.ts'
import { readChunk } from '../hash-of-file.ts'
import { requireExportDuty } from '../require-export-duty.ts'

const fileTypes = { csv: 'text/csv', json: 'application/json', pdf: 'application/pdf' } as const

export const downloadExport = operatorOperation(
  {
    id: 'downloadExport',
    summary: 'Download the file of an export',
    description:
      'The file as text/csv, or in the format of a register extract. Needs the same duty as requesting the export. ' +
      'With personal data, only the user who ' +
      'requested it can download it, with a passkey used within the last five minutes. The audit log records every ' +
      'download.',
    tag: 'Exports',
    // Not a GET: it writes to the audit log.
    method: 'POST',
    path: '/exports/:exportId/download',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    params: ExportPath,
    success: { status: 200, body: FileInParts, file: 'text/csv', otherFiles: ['application/json', 'application/pdf'] },
    errors: [
      requestErrors.not_found,
      requestErrors.session_required,
      requestErrors.step_up_needed,
      exportErrors.export_not_done,
    ],
  },
  async ({ params: { exportId } }, context) => {
    const { tenantId, tx, now, audit, callerId } = context
    const key = { tenantId, exportId }
    const found = await lockExport(tx, key)
    if (!found) throw new ApiError(requestErrors.not_found, 'The export does not exist.')
    const { kind, format, withPersonalData, createdBy, rowCount, chunkCount, sha256 } = found
    requireExportDuty(found, context)
    if (withPersonalData && createdBy !== callerId)
      throw new ApiError(
        requestErrors.insufficient_duty,
        'Only the user who requested an export with personal data can download it. Request your own.',
      )
    requireDone(found, now)
    audit({
      action: 'export.downloaded',
      subject: { type: 'export', id: exportId },
      after: {
        kind,
        with_personal_data: withPersonalData,
        row_count: Number(rowCount),
        ...(sha256 && { sha256: sha256.toString('hex') }),
      },
    })
    return {
      name: `${kind}-${exportId}.${format}`,
      type: fileTypes[format],
      bytes: Number(found.byteCount),
      partCount: chunkCount,
      readPart: (position, part) => readChunk(part.tx, part.vault, key, { position, chunkCount, format }),
    }
  },
)

function requireDone({ state, expiresAt }: ExportRow, now: Date): void {
  if (state === 'done' && expiresAt > now) return
  throw new ApiError(
    exportErrors.export_not_done,
    state === 'running'
      ? 'The export is still being written.'
      : `The export has no file any more: it is ${state === 'done' ? 'expired' : state}. Request a new one.`,
  )
}

import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { deleteExport } from '../delete-export.job.ts'
import { Export, ExportPath } from '../export.schema.ts'
import { endLockedExport, lockExport } from '../export.sql.ts'
import { viewExport } from '../export.view.ts'
import { requireKindDuty } from '../require-export-duty.ts'

export const cancelExport = operatorOperation(
  {
    id: 'cancelExport',
    summary: 'Cancel an export',
    description:
      'Stops an export that runs, and deletes its file. One that has ended stays as it is. For the export of another ' +
      'user, the duty of its kind is needed.',
    tag: 'Exports',
    method: 'POST',
    path: '/exports/:exportId/cancel',
    duty: 'read',
    approval: 'never',
    idempotency: 'optional',
    params: ExportPath,
    success: { status: 200, body: Export },
    errors: [requestErrors.not_found],
  },
  async ({ params: { exportId } }, { tenantId, tx, now, audit, callerId, operator }) => {
    const key = { tenantId, exportId }
    const found = await lockExport(tx, key)
    if (!found) throw new ApiError(requestErrors.not_found, 'The export does not exist.')
    if (found.createdBy !== callerId) requireKindDuty(found.kind, { operator })
    if (found.state !== 'running' && found.state !== 'done') {
      audit('nothing changed')
      return viewExport(found)
    }
    const ended = await endLockedExport(tx, key, { state: 'cancelled', now })
    await enqueueJob(tx, deleteExport, { tenant_id: tenantId, export_id: exportId })
    audit({
      action: 'export.cancelled',
      subject: { type: 'export', id: exportId },
      before: { state: found.state },
      after: { state: 'cancelled' },
    })
    return viewExport(ended ?? found)
  },
)

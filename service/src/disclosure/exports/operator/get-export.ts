import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { Export, ExportPath } from '../export.schema.ts'
import { findExport } from '../export.sql.ts'
import { viewExport } from '../export.view.ts'

export const getExport = operatorOperation(
  {
    id: 'getExport',
    summary: 'Read an export',
    description: 'Its state, and how many rows have been written.',
    tag: 'Exports',
    method: 'GET',
    path: '/exports/:exportId',
    duty: 'read',
    idempotency: 'none',
    params: ExportPath,
    success: { status: 200, body: Export },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx }) => {
    const found = await findExport(tx, { tenantId, ...params })
    if (!found) throw new ApiError(requestErrors.not_found, 'The export does not exist.')
    return viewExport(found)
  },
)

import { ExportRows } from '../data/export-rows.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { OfTenant, OperatorRequest, Preparation } from './operator-request.ts'

export const exportOf = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  exportId: await new ExportRows(installation, tenantId).done(),
})

const noteByCaller: Preparation = async (_installation, { orderId }, api, { token: callerToken }) => {
  const body = { subject_type: 'order', subject_id: orderId, text: 'Called.' }
  const { body: note } = await api.call('POST', '/notes', { token: callerToken, body })
  return { noteId: note.id }
}

/** Valid requests of operations, by id. */
export const consoleRequests: Readonly<Record<string, OperatorRequest>> = {
  createExport: {
    body: () => ({ kind: 'orders', statuses: ['PAID'] }),
    prepare: (installation, { tenantId }) => new ExportRows(installation, tenantId).expireAll(),
  },
  cancelExport: { prepare: exportOf },
  downloadExport: { prepare: exportOf },
  verifyAuditLog: { body: () => ({}) },
  verifyDirectoryAuditLog: { body: () => ({}) },
  listWorkItems: { idsOf: () => ({ kind: 'refund_due' }) },
  search: { body: () => ({ query: 'example' }) },
  createNote: {
    body: ({ orderId }) => ({ subject_type: 'order', subject_id: orderId, text: 'Called: pays on Friday.' }),
  },
  deleteNote: { prepare: noteByCaller },
}

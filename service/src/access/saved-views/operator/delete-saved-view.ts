import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { SavedView, SavedViewPath } from '../saved-view.schema.ts'
import { deleteLockedView, lockOwnView } from '../saved-view.sql.ts'
import { viewSavedView } from '../saved-view.view.ts'

export const deleteSavedView = directoryOperation(
  {
    id: 'deleteSavedView',
    summary: 'Delete a saved view',
    description: 'Only your own. Returns the view as it was.',
    tag: 'Saved views',
    method: 'POST',
    path: '/saved-views/:viewId/delete',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    params: SavedViewPath,
    success: { status: 200, body: SavedView },
    errors: [requestErrors.not_found],
  },
  async ({ params }, { tenantId, tx, operator: { userId }, audit }) => {
    const key = { tenantId, ...params }
    const saved = await lockOwnView(tx, key, userId)
    if (!saved) throw new ApiError(requestErrors.not_found, 'You have no such view.')
    await deleteLockedView(tx, key)
    audit({ action: 'saved_view.deleted', subject: { type: 'saved_view', id: saved.id }, before: { list: saved.list } })
    return viewSavedView(saved)
  },
)

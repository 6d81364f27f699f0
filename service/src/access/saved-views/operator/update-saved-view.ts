import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { SavedView, SavedViewChange, SavedViewPath } from '../saved-view.schema.ts'
import { lockOwnView, updateLockedView } from '../saved-view.sql.ts'
import { viewSavedView } from '../saved-view.view.ts'

export const updateSavedView = directoryOperation(
  {
    id: 'updateSavedView',
    summary: 'Change a saved view',
    description: 'Only your own. Members that are not sent stay as they are.',
    tag: 'Saved views',
    method: 'PATCH',
    path: '/saved-views/:viewId',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    params: SavedViewPath,
    body: SavedViewChange,
    success: { status: 200, body: SavedView },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, operator: { userId }, audit }) => {
    const saved = await lockOwnView(tx, { tenantId, ...params }, userId)
    if (!saved) throw new ApiError(requestErrors.not_found, 'You have no such view.')
    const changed = {
      ...saved,
      name: body.name ?? saved.name,
      filters: body.filters ?? saved.filters,
      isShared: body.is_shared ?? saved.isShared,
    }
    await updateLockedView(tx, tenantId, changed)
    audit({
      action: 'saved_view.changed',
      subject: { type: 'saved_view', id: saved.id },
      before: { is_shared: saved.isShared },
      after: { is_shared: changed.isShared },
    })
    return viewSavedView(changed)
  },
)

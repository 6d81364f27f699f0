import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { savedViewErrors } from '../saved-view.errors.ts'
import { NewSavedView, SavedView } from '../saved-view.schema.ts'
import { countOwnViews, insertSavedView } from '../saved-view.sql.ts'
import { viewSavedView } from '../saved-view.view.ts'

const viewsOfUserMax = 100

export const createSavedView = directoryOperation(
  {
    id: 'createSavedView',
    summary: 'Save a view',
    description: 'A view is a named set of filters of a list, for yourself or for all users of the tenant.',
    tag: 'Saved views',
    method: 'POST',
    path: '/saved-views',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    body: NewSavedView,
    success: { status: 201, body: SavedView },
    errors: [savedViewErrors.saved_view_limit_reached],
  },
  async ({ body }, { tenantId, tx, operator: { userId }, audit }) => {
    if ((await countOwnViews(tx, tenantId, userId)) >= viewsOfUserMax)
      throw new ApiError(
        savedViewErrors.saved_view_limit_reached,
        `A user may save ${viewsOfUserMax} views: delete one.`,
      )
    const { name, list, filters, is_shared: isShared } = body
    const saved = await insertSavedView(tx, tenantId, { id: newRowId(), userId, name, list, filters, isShared })
    const subject = { type: 'saved_view', id: saved.id }
    audit({ action: 'saved_view.created', subject, after: { list, is_shared: isShared } })
    return viewSavedView(saved)
  },
)

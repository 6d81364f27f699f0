import type { Static } from 'typebox'
import type { SavedView } from './saved-view.schema.ts'
import type { SavedViewRow } from './saved-view.sql.ts'

export function viewSavedView(row: SavedViewRow): Static<typeof SavedView> {
  return {
    id: row.id,
    user_id: row.userId,
    name: row.name,
    list: row.list,
    filters: row.filters,
    is_shared: row.isShared,
    created_at: row.createdAt.toISOString(),
  }
}

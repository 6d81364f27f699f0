import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** A row of directory.saved_view. */
export interface SavedViewRow {
  id: string
  userId: string
  name: string
  list: string
  filters: { name: string; value: string }[]
  isShared: boolean
  createdAt: Date
}

export interface SavedViewKey {
  tenantId: string
  viewId: string
}

const columns = sql`
  saved_view.id, saved_view.user_id as "userId", saved_view.name, saved_view.list, saved_view.filters,
  saved_view.is_shared as "isShared", saved_view.created_at as "createdAt"`

export async function insertSavedView(
  tx: Transaction,
  tenantId: string,
  view: Omit<SavedViewRow, 'createdAt'>,
): Promise<SavedViewRow> {
  const inserted = await tx.row<SavedViewRow>(sql`
    insert into directory.saved_view (tenant_id, id, user_id, name, list, filters, is_shared)
    values (${tenantId}, ${view.id}, ${view.userId}, ${view.name}, ${view.list}, ${JSON.stringify(view.filters)},
            ${view.isShared})
    returning ${columns}`)
  if (!inserted) throw new Error('a saved view was not inserted')
  return inserted
}

/** Locks a view of the user until the transaction ends. Only its owner may change a shared view. */
export function lockOwnView(tx: Transaction, { tenantId, viewId }: SavedViewKey, userId: string) {
  return tx.row<SavedViewRow>(sql`
    select ${columns} from directory.saved_view
    where saved_view.tenant_id = ${tenantId} and saved_view.id = ${viewId} and saved_view.user_id = ${userId}
    for update`)
}

export async function updateLockedView(tx: Transaction, tenantId: string, view: SavedViewRow): Promise<void> {
  await tx.rows(sql`
    update directory.saved_view
    set name = ${view.name}, filters = ${JSON.stringify(view.filters)}, is_shared = ${view.isShared}
    where tenant_id = ${tenantId} and id = ${view.id}`)
}

export async function deleteLockedView(tx: Transaction, { tenantId, viewId }: SavedViewKey): Promise<void> {
  await tx.rows(sql`delete from directory.saved_view where tenant_id = ${tenantId} and id = ${viewId}`)
}

export async function countOwnViews(tx: Transaction, tenantId: string, userId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.saved_view where tenant_id = ${tenantId} and user_id = ${userId}`)
  return found?.count ?? 0
}

/** Selects the views that a user sees: their own, and those that others share. */
export interface VisibleViews {
  tenantId: string
  userId: string
  list?: string | undefined
}

function visible({ tenantId, userId, list }: VisibleViews): Sql {
  const ofList = list === undefined ? sql`` : sql`and saved_view.list = ${list}`
  return sql`
    saved_view.tenant_id = ${tenantId} ${ofList} and (saved_view.user_id = ${userId} or saved_view.is_shared)`
}

export function pageOfVisibleViews(tx: Transaction, views: VisibleViews, page: KeysetPage) {
  return countedPage<SavedViewRow>(tx, page, {
    columns,
    from: sql`directory.saved_view`,
    where: visible(views),
    id: sql`saved_view.id`,
  })
}

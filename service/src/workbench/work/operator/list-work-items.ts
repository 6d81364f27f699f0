import type { Static } from 'typebox'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { mergeRows } from '../../../platform/api/declare/merge-rows.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { workOfferings } from '../../../records/work/work-kind.ts'
import { WorkItem, WorkPath } from '../work.schema.ts'
import { countWorkItems, selectWorkItems, type WorkItemRow } from '../work.sql.ts'
import { workKinds } from '../work-kinds.ts'

export const listWorkItems = keysetListOperation(
  {
    id: 'listWorkItems',
    summary: 'List the work of a kind',
    description: 'The items that `GET /work` counts, the oldest first, each with the resource to open.',
    tag: 'Work',
    path: '/work/:kind',
    duty: 'read',
    params: WorkPath,
    item: WorkItem,
    sorts: ['since'],
    direction: 'asc',
    errors: [],
  },
  async ({ params, page }, { tenantId, tx, operator, now, readOther }) => {
    const found = workKinds.find(({ kind }) => kind === params.kind)
    if (!found) throw new Error('the schema accepted an unknown kind of work')
    const offeringIds = workOfferings(operator, found)
    if (offeringIds === undefined)
      throw new ApiError(requestErrors.insufficient_duty, `Work of this kind needs the duty ${found.duty}.`)
    const scope = { tenantId, operator, now, offeringIds }
    const read = async (database: 'cell' | 'directory', from: Transaction) => {
      const own = found.sources.filter((source) => source.database === database)
      const [counts, pages] = await from.batch(
        (tx) => tx.each(own, (tx, source) => countWorkItems(tx, source, scope)),
        (tx) => tx.each(own, (tx, source) => selectWorkItems(tx, source, scope, page)),
      )
      return { count: counts.reduce((sum, count) => sum + count, 0), pages }
    }
    const isInDirectory = found.sources.some(({ database }) => database === 'directory')
    const [inCell, inDirectory] = await Promise.all([
      read('cell', tx),
      isInDirectory ? readOther((directory) => read('directory', directory)) : { count: 0, pages: [] },
    ])
    const rows = mergeRows([...inCell.pages, ...inDirectory.pages], page)
    return { count: inCell.count + inDirectory.count, ...pageOf(rows, page, view) }
  },
)

function view({ id, name, amount, currency, since, target, targetId }: WorkItemRow): Static<typeof WorkItem> {
  return { id, name, amount, currency, since: since.toISOString(), target: { type: target, id: targetId } }
}

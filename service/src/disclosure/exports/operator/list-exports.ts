import { Type } from 'typebox'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { Export, exportStates } from '../export.schema.ts'
import { countExports, selectExports } from '../export.sql.ts'
import { viewExport } from '../export.view.ts'

export const listExports = keysetListOperation(
  {
    id: 'listExports',
    summary: 'List exports',
    description: 'The exports of your tenant. Those that have ended stay in the list as a record, without their file.',
    tag: 'Exports',
    path: '/exports',
    duty: 'read',
    item: Export,
    query: { state: Type.Optional(Type.Enum(exportStates, { description: 'Only exports in this state.' })) },
    errors: [],
  },
  async ({ query: { state }, page }, { tenantId, tx }) => {
    const [count, rows] = await tx.batch(
      (tx) => countExports(tx, tenantId, state),
      (tx) => selectExports(tx, tenantId, state, page),
    )
    return { count, ...pageOf(rows, page, viewExport) }
  },
)

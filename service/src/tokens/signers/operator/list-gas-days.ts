import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { selectGasDays } from '../gas.sql.ts'
import { GasDays, gasDaysMax } from '../signer.schema.ts'

export const listGasDays = operatorOperation(
  {
    id: 'listGasDays',
    summary: 'Show what gas cost by day',
    description: 'What the transactions of your signers cost in the last 366 days, by chain and day.',
    tag: 'Settlement',
    method: 'GET',
    path: '/gas',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: GasDays },
    errors: [],
  },
  async (_, { tenantId, tx, now }) => ({ results: await selectGasDays(tx, tenantId, { now, days: gasDaysMax }) }),
)

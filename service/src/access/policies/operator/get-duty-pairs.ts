import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { DutyPairs } from '../policy.schema.ts'
import { selectDutyPairs } from '../policy.sql.ts'

export const getDutyPairs = directoryOperation(
  {
    id: 'getDutyPairs',
    summary: 'Get the forbidden pairs of duties',
    description: 'Duties that one user of your tenant must not have together. At first: `money` and `release`.',
    tag: 'Users',
    method: 'GET',
    path: '/duty-pairs',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: DutyPairs },
    errors: [],
  },
  async (_, { tenantId, tx }) => {
    const pairs = await selectDutyPairs(tx, tenantId)
    return { forbidden: pairs.map(({ duty, otherDuty }) => [duty, otherDuty]) }
  },
)

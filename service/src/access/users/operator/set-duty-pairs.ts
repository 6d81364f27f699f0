import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { DutyPairs } from '../../policies/policy.schema.ts'
import { type DutyPair, replaceDutyPairs, selectDutyPairs } from '../../policies/policy.sql.ts'
import { userErrors } from '../user.errors.ts'
import { lockUsers } from '../user.sql.ts'

export const setDutyPairs = directoryOperation(
  {
    id: 'setDutyPairs',
    summary: 'Set the forbidden pairs of duties',
    description:
      'Replaces the pairs; a second person must confirm it. It is rejected while a user has both duties of a pair.',
    tag: 'Users',
    method: 'POST',
    path: '/duty-pairs',
    duty: 'team',
    approval: 'always',
    idempotency: 'none',
    body: DutyPairs,
    success: { status: 200, body: DutyPairs },
    errors: [userErrors.duties_forbidden],
  },
  async ({ body }, { tenantId, tx, audit }) => {
    const pairs = body.forbidden.map((pair) => {
      const [duty, otherDuty] = pair.toSorted()
      return { duty, otherDuty } as DutyPair
    })
    const users = await lockUsers(tx, tenantId)
    for (const { duty, otherDuty } of pairs) {
      const has = (wanted: string) => (granted: { duty: string }) => granted.duty === wanted
      const both = users.find(({ duties }) => duties.some(has(duty)) && duties.some(has(otherDuty)))
      if (both)
        throw new ApiError(
          userErrors.duties_forbidden,
          `User ${both.id} has both ${duty} and ${otherDuty}. Take one of them from the user first.`,
        )
    }
    const before = await selectDutyPairs(tx, tenantId)
    await replaceDutyPairs(tx, tenantId, pairs)
    const namesOf = (listed: readonly DutyPair[]) => listed.map(({ duty, otherDuty }) => `${duty}+${otherDuty}`)
    audit({
      action: 'duty_pairs.changed',
      subject: { type: 'tenant', id: tenantId },
      before: { forbidden: namesOf(before) },
      after: { forbidden: namesOf(pairs) },
    })
    return { forbidden: pairs.map(({ duty, otherDuty }) => [duty, otherDuty]) }
  },
  { policy: 'always', subject: 'tenant' },
)

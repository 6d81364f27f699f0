import type { Static } from 'typebox'
import { dutiesOfRole, type GrantedDuty, isLimitable, type Role } from '../../platform/api/declare/duties.ts'
import { ApiError, type Failure, validationFailed } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { selectDutyPairs } from '../policies/policy.sql.ts'
import { userErrors } from './user.errors.ts'
import type { DutyGrants } from './user.schema.ts'

/** Returns the duties of a request: those of the named role, or the listed ones. Every user can read. */
export function parseDuties(body: { role?: Role; duties?: Static<typeof DutyGrants> }): GrantedDuty[] {
  if ((body.role === undefined) === (body.duties === undefined))
    throw validationFailed([{ detail: 'Send either role or duties.', pointer: '/duties' }])
  if (body.role) return dutiesOfRole[body.role].map((duty) => ({ duty, offeringIds: null }))
  const listed = body.duties ?? []
  const failures = listed.flatMap<Failure>(({ duty, offering_ids: offerings }, index) => {
    const pointer = `/duties/${index}`
    if (listed.findIndex((other) => other.duty === duty) !== index)
      return [{ detail: `The duty ${duty} is listed twice.`, pointer }]
    return offerings && !isLimitable(duty)
      ? [{ detail: `The duty ${duty} cannot be limited to offerings; leave out offering_ids.`, pointer }]
      : []
  })
  if (failures.length > 0) throw validationFailed(failures)
  const granted = listed.map(({ duty, offering_ids: offeringIds = null }) => ({ duty, offeringIds }))
  return granted.some(({ duty }) => duty === 'read') ? granted : [{ duty: 'read', offeringIds: null }, ...granted]
}

/** Throws if a service user would have the duty `team`, with which it could give itself more duties. */
export function requireServiceDuties(duties: readonly GrantedDuty[]): void {
  if (duties.some(({ duty }) => duty === 'team'))
    throw new ApiError(
      userErrors.service_user_in_team,
      'A service user cannot have the duty team. Leave it out, or give it to a person.',
    )
}

/** Throws if the tenant forbids a user to have two of these duties. */
export async function requireAllowedDuties(
  tx: Transaction,
  tenantId: string,
  duties: readonly GrantedDuty[],
): Promise<void> {
  const has = (wanted: string) => duties.some(({ duty }) => duty === wanted)
  const pairs = await selectDutyPairs(tx, tenantId)
  const forbidden = pairs.find(({ duty, otherDuty }) => has(duty) && has(otherDuty))
  if (forbidden)
    throw new ApiError(
      userErrors.duties_forbidden,
      `This tenant forbids ${forbidden.duty} and ${forbidden.otherDuty} in one user. Give one of them to another user.`,
    )
}

import type { Static } from 'typebox'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { type Failure, validationFailed } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringChange } from './offering-change.ts'
import { RegisterDetails } from './operator-offering.schema.ts'
import { isNoLongerDraft, lockOffering, registerDetailsFingerprint } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'
import { setLockedRegisterDetails } from './register-details.sql.ts'
import { isIsin, isLei } from './security-identifiers.ts'

export const setRegisterDetails = operatorOperation(
  {
    ...offeringChange,
    id: 'setRegisterDetails',
    summary: 'Set what extracts of the register say about the security',
    description:
      'Replaces ISIN, issuer and nominal value, which every extract of the register shows, and whether a holder ' +
      'gets an extract after each change. Extracts that exist stay as they are. Once the offering is no longer a ' +
      'draft, it may need a second person.',
    path: '/offerings/:offeringId/register-details',
    duty: 'offerings',
    approval: 'policy',
    body: RegisterDetails,
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const failures = failuresOf(body)
    if (failures.length > 0) throw validationFailed(failures)
    const key = { tenantId, ...params }
    const offering = found(await lockOffering(tx, key), 'There is no such offering.')
    await setLockedRegisterDetails(tx, key, body)
    audit({
      action: 'offering.register_details_set',
      subject: { type: 'offering', id: params.offeringId },
      before: offering.register,
      after: body,
    })
    const changed = await lockOffering(tx, key)
    return viewOperatorOffering(changed ?? offering)
  },
  {
    policy: 'offering_opening',
    subject: 'offering',
    isNeeded: ({ params }, { tenantId, tx }) => isNoLongerDraft(tx, { tenantId, ...params }),
    fingerprint: registerDetailsFingerprint,
  },
)

function failuresOf(details: Static<typeof RegisterDetails>): Failure[] {
  const { isin, issuer_lei: lei, nominal_amount: amount, nominal_currency: currency } = details
  const failures: Failure[] = []
  const reject = (member: string, rule: string) =>
    failures.push({ detail: `The member ${member} ${rule}.`, pointer: `/${member}` })
  if (isin !== null && !isIsin(isin)) reject('isin', 'must have the right check digit: compare it with its source')
  if (lei !== null && !isLei(lei)) reject('issuer_lei', 'must have the right check digits: compare it with its source')
  if (amount !== null && !(Number(amount) > 0)) reject('nominal_amount', 'must be more than 0')
  if (amount !== null && (amount.split('.')[1] ?? '').length > 18)
    reject('nominal_amount', 'must have at most 18 decimal places')
  if ((amount === null) !== (currency === null))
    reject('nominal_currency', 'must be set if and only if nominal_amount is')
  return failures
}

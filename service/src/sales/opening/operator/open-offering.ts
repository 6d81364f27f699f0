import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../../offerings/offering.errors.ts'
import { offeringChange } from '../../offerings/operator/offering-change.ts'
import { openDraft } from '../../offerings/operator/open-draft.ts'
import { findOffering } from '../../offerings/operator/operator-offering.sql.ts'
import { viewOperatorOffering } from '../../offerings/operator/operator-offering.view.ts'
import { openingFingerprint } from '../opening-fingerprint.ts'

export const openOffering = operatorOperation(
  {
    ...offeringChange,
    id: 'openOffering',
    summary: 'Open a draft',
    description:
      'Integrators see the offering at once and can sell it from `opens_at` on. It must have a `collection_account` ' +
      'in its currency, with a valid IBAN. Afterwards only its end and limits can change. A confirmation is rejected ' +
      'if the terms, the account, the eligibility rules or the documents have changed since the proposal. Opening it ' +
      'again changes nothing.',
    path: '/offerings/:offeringId/open',
    duty: 'offerings',
    approval: 'policy',
    errors: [requestErrors.not_found, offeringErrors.offering_not_draft, offeringErrors.offering_incomplete],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const outcome = await openDraft(tx, key, now)
    if (outcome === 'already open') audit('nothing changed')
    else {
      const [before, after] = [{ status: 'DRAFT' }, { status: 'OPEN' }]
      audit({ action: 'offering.opened', subject: { type: 'offering', id: params.offeringId }, before, after })
    }
    const offering = found(await findOffering(tx, key), 'There is no such offering.')
    return viewOperatorOffering(offering)
  },
  { policy: 'offering_opening', subject: 'offering', fingerprint: openingFingerprint },
)

import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { OperatorOffering } from '../../../sales/offerings/operator/operator-offering.schema.ts'
import { lockOffering } from '../../../sales/offerings/operator/operator-offering.sql.ts'
import { viewOperatorOffering } from '../../../sales/offerings/operator/operator-offering.view.ts'
import { SettlementReason } from '../../chain-ops/chain-op.schema.ts'
import { mintingStopFingerprint } from '../../minting/offering-token.sql.ts'
import { resumeLockedMinting } from '../reconcile.sql.ts'

export const resumeMinting = operatorOperation(
  {
    id: 'resumeMinting',
    summary: 'Resume minting',
    description:
      'Resumes the minting of an offering that was stopped because the chain and the ledger differ, or because the ' +
      'nodes of the chain disagree, once an operator has found out why. The same difference does not stop minting ' +
      'again; another one does, and so do nodes that still disagree.',
    tag: 'Settlement',
    method: 'POST',
    path: '/offerings/:offeringId/resume-minting',
    duty: 'settlement',
    offering: 'params.offeringId',
    approval: 'always',
    idempotency: 'optional',
    params: OfferingPath,
    body: SettlementReason,
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const offering = await lockOffering(tx, key)
    if (!offering) throw new ApiError(requestErrors.not_found, 'This offering does not exist.')
    const { mintingStopped } = offering
    if (mintingStopped === null) audit('nothing changed')
    else {
      await resumeLockedMinting(tx, key, offering.blockchain)
      audit({
        action: 'offering.minting_resumed',
        subject: { type: 'offering', id: params.offeringId },
        before: { minting_stopped: mintingStopped },
        after: { minting_stopped: null, reason: body.reason },
      })
    }
    return viewOperatorOffering({ ...offering, mintingStopped: null })
  },
  {
    policy: 'always',
    subject: 'offering',
    fingerprint: mintingStopFingerprint,
  },
)

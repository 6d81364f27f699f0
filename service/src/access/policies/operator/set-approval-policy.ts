import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { ApprovalPolicy } from '../policy.schema.ts'
import { deletePolicy, selectPolicies, upsertPolicy } from '../policy.sql.ts'
import { viewPolicy } from '../policy.view.ts'

export const setApprovalPolicy = directoryOperation(
  {
    id: 'setApprovalPolicy',
    summary: 'Set an approval policy',
    description: 'From which amount on your tenant needs a second person. Changing this needs a second person itself.',
    tag: 'Approvals',
    method: 'POST',
    path: '/approval-policies',
    duty: 'team',
    approval: 'always',
    idempotency: 'none',
    body: ApprovalPolicy,
    success: { status: 200, body: ApprovalPolicy },
    errors: [],
  },
  async ({ body }, { tenantId, tx, audit }) => {
    const { policy, second_person: when, from_minor: fromMinor } = body
    if ((when === 'from_amount') !== (fromMinor !== null))
      throw validationFailed([
        { detail: 'The member from_minor must be set with from_amount, and null otherwise.', pointer: '/from_minor' },
      ])
    const before = viewPolicy(
      policy,
      (await selectPolicies(tx, tenantId)).find((row) => row.policy === policy),
    )
    if (when === 'always') await deletePolicy(tx, tenantId, policy)
    else await upsertPolicy(tx, tenantId, { policy, fromMinor })
    audit({ action: 'approval_policy.changed', subject: { type: 'tenant', id: tenantId }, before, after: body })
    return body
  },
  { policy: 'always', subject: 'tenant' },
)

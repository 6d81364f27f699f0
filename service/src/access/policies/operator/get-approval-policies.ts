import { policies } from '../../../platform/api/declare/approval.ts'
import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApprovalPolicies } from '../policy.schema.ts'
import { selectPolicies } from '../policy.sql.ts'
import { viewPolicy } from '../policy.view.ts'

export const getApprovalPolicies = directoryOperation(
  {
    id: 'getApprovalPolicies',
    summary: 'Get the approval policies',
    description: 'When your tenant needs a second person. Some operations always need one and are not listed.',
    tag: 'Approvals',
    method: 'GET',
    path: '/approval-policies',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: ApprovalPolicies },
    errors: [],
  },
  async (_, { tenantId, tx }) => {
    const rows = await selectPolicies(tx, tenantId)
    return {
      policies: policies.map((policy) =>
        viewPolicy(
          policy,
          rows.find((row) => row.policy === policy),
        ),
      ),
    }
  },
)

import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { KycCheck, kycCheckStatuses } from '../kyc-check.schema.ts'
import { pageOfKycChecks } from '../kyc-check.sql.ts'
import { viewKycCheck } from '../kyc-check.view.ts'

export const listKycChecks = keysetListOperation(
  {
    id: 'listKycChecks',
    summary: 'List KYC checks',
    description: 'Results that KYC providers reported. With `status=queued`, those that wait for an operator.',
    tag: 'KYC providers',
    path: '/kyc-checks',
    duty: 'read',
    item: KycCheck,
    query: {
      status: SeveralOf(kycCheckStatuses, 'Only checks with this status.'),
      account_id: Type.Optional(Uuid('The account.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfKycChecks(tx, tenantId, query, page)
    return { count, ...pageOf(rows, page, viewKycCheck) }
  },
)

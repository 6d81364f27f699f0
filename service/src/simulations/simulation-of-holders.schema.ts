import { Type } from 'typebox'
import { DistributionPreview, NewDistribution } from '../distributions/distribution.schema.ts'
import { Named, Uuid } from '../platform/api/declare/fields.ts'
import { approvalStatuses } from '../sales/accounts/account.schema.ts'
import { KycNotificationOutcome } from '../sales/kyc-providers/receive-kyc-notification.ts'

export const DistributionSimulation = Named(
  'DistributionSimulation',
  {
    result: Type.Enum(['paid', 'failed', 'announced'] as const, {
      description:
        '`paid`: the bank pays each entitlement. `failed`: it returns each, since the account is closed. ' +
        '`announced`: nothing is paid yet.',
      examples: ['paid'],
    }),
    kind: Type.Optional(
      Type.Enum(['COUPON', 'DIVIDEND', 'REDEMPTION'] as const, {
        default: 'COUPON',
        description: 'A `REDEMPTION` also burns the units that it pays.',
      }),
    ),
    rate_per_token: Type.Optional({ ...NewDistribution.properties.rate_per_token, default: '1.00' }),
  },
  { examples: [{ result: 'paid' }] },
)

const { id, offering_id, kind, status, record_at, pay_on, currency, rate_per_token, holders, amount, totals } =
  DistributionPreview.properties
export const SimulatedDistribution = Named('SimulatedDistribution', {
  id,
  offering_id,
  kind,
  status,
  record_at,
  pay_on,
  currency,
  rate_per_token,
  holders,
  amount,
  totals,
})

export const KycResultSimulation = Named(
  'KycResultSimulation',
  {
    outcome: Type.Enum(['approved', 'rejected', 'expired'] as const, {
      description: '`expired`: an approval that ends a second later.',
      examples: ['approved'],
    }),
    provider_id: Type.Optional(Uuid('An enabled provider of kind `standard`; by default the oldest.', 'The provider.')),
    is_accepted: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether an operator accepts the result if it waits for one. If false, it stays `queued`.',
      }),
    ),
  },
  { examples: [{ outcome: 'approved' }] },
)
export const SimulatedKycResult = Named('SimulatedKycResult', {
  account_id: Uuid('The account.'),
  provider_id: Uuid('The KYC provider.'),
  outcome: KycNotificationOutcome,
  kyc: Type.Enum(approvalStatuses, { description: 'Of an individual.' }),
  kyb: Type.Enum(approvalStatuses, { description: 'Of a company.' }),
})

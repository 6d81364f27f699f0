import { Type } from 'typebox'
import { CalendarDate, Named, orNull, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'

export const distributionKinds = ['COUPON', 'DIVIDEND', 'REDEMPTION'] as const

/** Statuses of an entitlement whose address has an account. */
const accountEntitlementStatuses = ['nothing', 'due', 'sent', 'paid', 'returned'] as const
export const entitlementStatuses = ['set_apart', ...accountEntitlementStatuses] as const

export const EntitlementPath = Type.Object({ entitlementId: Uuid('The entitlement.') })

export const DistributionKind = Type.Enum(distributionKinds, {
  description: '`COUPON`: interest. `DIVIDEND`: a share of profits. `REDEMPTION`: the units are paid back and burnt.',
})

const ExactAmount = (description: string, example: string) => Type.String({ description, examples: [example] })

export const entitlementMembers = {
  id: Uuid('The entitlement.'),
  distribution_id: Uuid('The distribution.'),
  offering_id: Uuid('The offering.'),
  kind: DistributionKind,
  address: Type.String({
    description: 'The address that had the units at the record time.',
    examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  }),
  units: Units('Its units at the record time, in the smallest token unit.'),
  gross_amount: ExactAmount('Before tax: an exact decimal in `currency`.', '12.46'),
  withheld_amount: ExactAmount('The tax that is withheld.', '3.28'),
  net_amount: ExactAmount('What is paid.', '9.18'),
  currency: Type.String({ examples: ['EUR'] }),
  record_at: Timestamp('Who had units at this time is entitled.'),
  pay_on: CalendarDate('When the bank should pay.'),
}

/** An entitlement for integrators. */
export const AccountEntitlement = Named('Entitlement', {
  ...entitlementMembers,
  status: Type.Enum(accountEntitlementStatuses, {
    description:
      '`due`: is paid next. `sent`: the bank has the transfer. `paid`: the bank debited it. `returned`: the bank ' +
      'returned it; correct the bank account of the investor. `nothing`: the amount rounds down to 0.',
  }),
  failure: orNull(Type.String({ description: 'Why the bank returned it.' }), { examples: [null] }),
  changed_at: Timestamp('When the status last changed.'),
})

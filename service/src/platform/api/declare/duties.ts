/** Permissions of operator users. An operation declares the duty that it needs; a user has a set of duties. */
export const duties = [
  'read', //          see everything except personal data, which is masked
  'personal', //      see bank data, tax numbers and documents in full; each reveal is audited
  'offerings', //     draft, open and close offerings; accept and cancel orders
  'compliance', //    decide about accounts; register, suspend and retire wallets
  'money', //         import statements, match and record payments, prepare payouts
  'release', //       confirm what moves money: payouts, manual payments, statements imported by hand
  'settlement', //    chain ops, minting, attached tokens
  'token', //         propose and confirm token actions such as FREEZE
  'integrations', //  credentials, webhook endpoints, payment and KYC providers
  'team', //          users, duties and sessions
] as const
export type Duty = (typeof duties)[number]

/** Named sets of duties: a shortcut when inviting. Only the user's own set counts. */
export const roles = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof roles)[number]

/** No role combines `money` and `release`: the user who records a payment or prepares a payout must not release it. */
export const dutiesOfRole: Readonly<Record<Role, readonly Duty[]>> = {
  viewer: ['read'],
  operator: ['read', 'personal', 'offerings', 'compliance', 'money', 'settlement'],
  admin: ['read', 'personal', 'offerings', 'compliance', 'release', 'settlement', 'token', 'integrations', 'team'],
}

/** Duties that may be limited to some offerings. The others concern the whole tenant. */
export const limitableDuties = ['offerings', 'settlement', 'token'] as const satisfies readonly Duty[]
export type LimitableDuty = (typeof limitableDuties)[number]

export function isLimitable(duty: Duty | undefined): duty is LimitableDuty {
  return limitableDuties.some((limitable) => limitable === duty)
}

/** A duty of a user; `offeringIds` is null if it applies to all offerings. */
export interface GrantedDuty {
  readonly duty: Duty
  readonly offeringIds: readonly string[] | null
}

interface WithDuties {
  readonly duties: readonly GrantedDuty[]
}

/**
 * Returns true if the user has the duty for this offering. Pass null if the request concerns no single offering; only
 * an unlimited duty permits it.
 */
export function hasDuty({ duties: granted }: WithDuties, wanted: Duty, offeringId: string | null): boolean {
  return granted.some(
    ({ duty, offeringIds }) =>
      duty === wanted && (offeringIds === null || (offeringId !== null && offeringIds.includes(offeringId))),
  )
}

/** Returns true if the user has the duty for at least one offering. */
export function hasDutySomewhere({ duties: granted }: WithDuties, wanted: Duty): boolean {
  return granted.some(({ duty }) => duty === wanted)
}

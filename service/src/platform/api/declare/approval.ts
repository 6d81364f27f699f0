import { Type } from 'typebox'
import type { Transaction } from '../../db/transaction.ts'
import { type Duty, duties } from './duties.ts'
import { Uuid } from './fields.ts'

/**
 * What a tenant decides for itself: from which amount on these need a second person. Without a decision they always do.
 */
export const policies = [
  'attached_token',
  'attached_transaction',
  'kyc_provider',
  'kyc_reapproval',
  'manual_payment',
  'offering_opening',
  'payment_assignment',
  'payment_provider',
  'payment_return',
  'payment_reversal',
  'payout_release',
  'personal_data_export',
  'refund_to_changed_account',
  'statement_booking',
  'wallet_registration',
  'write_credential',
] as const
export type Policy = (typeof policies)[number]

/** Thresholds in minor units; null if the tenant needs no second person. A policy without an entry always needs one. */
export type PolicyThresholds = Readonly<Partial<Record<Policy, bigint | null>>>

export interface Amount {
  readonly minor: bigint
  readonly currency: string
}

export type SubjectVersion = (key: { tenantId: string; id: string }, tx: Transaction) => Promise<string>

/** The version of a subject of several parts. Hashes have neither colon nor line break. */
export function versionOfParts(parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts)
    .map(([name, hash]) => `${name}:${hash}`)
    .join('\n')
}

/** Names of the parts that differ; empty if the versions have no parts. */
export function changedParts(before: string, after: string): string[] {
  const proposed = new Set(before.split('\n'))
  return after
    .split('\n')
    .filter((part) => part.includes(':') && !proposed.has(part))
    .map((part) => part.slice(0, part.indexOf(':')))
}

type PoliciesOf<Input, Context> = (input: Input, context: Context) => readonly Policy[] | Promise<readonly Policy[]>

/** When an operation needs a second person, and what that person must know and have. */
export interface ApprovalRule<Input, Context> {
  /**
   * `always` cannot be switched off by a tenant. A function returns all policies that apply to the request: each of
   * them can demand a second person.
   */
  readonly policy: Policy | 'always' | PoliciesOf<Input, Context>
  /** The duty of the second person; the operation's own duty if absent. */
  readonly confirmDuty?: Duty
  /** The kind of resource that the first path parameter names; `tenant` for an operation without one. */
  readonly subject: string
  /** For operations that need a second person in some cases only. Absent: in all. */
  readonly isNeeded?: (input: Input, context: Context) => boolean | Promise<boolean>
  /** What is compared with the threshold of the tenant. An operation without an amount has no threshold. */
  readonly amount?: (input: Input, context: Context) => Amount | undefined | Promise<Amount | undefined>
  /** Cases in which a tenant cannot do without a second person, whatever its policy says. */
  readonly isAlwaysNeeded?: (input: Input, context: Context) => Promise<boolean>
  /** Whether the threshold of the tenant does not apply: a second person is needed however small the amount is. */
  readonly isNeededAtAnyAmount?: (input: Input, context: Context) => Promise<boolean>
  /**
   * Locks the subject and returns what changes whenever it does. A confirmation is rejected if it differs from what the
   * proposer saw.
   */
  readonly version?: SubjectVersion
}

/** The body of the 202 for a request that waits for a second person. */
export const ProposedChange = Type.Object(
  {
    approval_id: Uuid('The approval.'),
    confirm_duty: Type.Enum(duties, { description: 'The duty that the second person needs.' }),
  },
  { additionalProperties: false, title: 'ProposedChange' },
)

/** A write must state whether it needs a second person, so that no path that moves value lacks a decision. */
export type StatedApproval<H extends { readonly method: string }> = H['method'] extends 'GET'
  ? unknown
  : { readonly approval: 'never' | 'policy' | 'always' }

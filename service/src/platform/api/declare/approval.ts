import { Type } from 'typebox'
import type { Money } from '../../base/money.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import { type Duty, duties } from './duties.ts'
import { Named, Uuid } from './fields.ts'

/**
 * Policies that a tenant sets for itself: the amount from which each of these needs a second person. Until it is set,
 * each always does.
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

export type SubjectFingerprint = (key: { tenantId: string; id: string }, tx: Transaction) => Promise<string>

/** Joins the hashes of a subject's parts into one fingerprint. Hashes contain neither colons nor line breaks. */
export function fingerprintOfParts(parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts)
    .map(([name, hash]) => `${name}:${hash}`)
    .join('\n')
}

/** Returns the names of the parts that differ, or none if the versions have no parts. */
export function changedParts(before: string, after: string): string[] {
  const proposed = new Set(before.split('\n'))
  return after
    .split('\n')
    .filter((part) => part.includes(':') && !proposed.has(part))
    .map((part) => part.slice(0, part.indexOf(':')))
}

type PoliciesOf<Input, Context> = (input: Input, context: Context) => readonly Policy[] | Promise<readonly Policy[]>

/** Decides when an operation needs a second person, and what that person must know and have. */
export interface ApprovalRule<Input, Context> {
  /**
   * `always` cannot be switched off by a tenant. A function returns all policies that apply to the request; each of
   * them can demand a second person.
   */
  readonly policy: Policy | 'always' | PoliciesOf<Input, Context>
  /** The duty of the second person; the operation's own duty if absent. */
  readonly confirmDuty?: Duty
  /** The kind of resource that the first path parameter names; `tenant` for an operation without one. */
  readonly subject: string
  /** Returns true if this request needs a second person. If absent, every request does. */
  readonly isNeeded?: (input: Input, context: Context) => boolean | Promise<boolean>
  /** Amount to compare with the tenant's threshold. An operation without an amount has no threshold. */
  readonly amount?: (input: Input, context: Context) => Money | undefined | Promise<Money | undefined>
  /** Returns true in cases that need a second person whatever the tenant's policy says. */
  readonly isAlwaysNeeded?: (input: Input, context: Context) => Promise<boolean>
  /** Returns true if the tenant's threshold does not apply: even the smallest amount needs a second person. */
  readonly isNeededAtAnyAmount?: (input: Input, context: Context) => Promise<boolean>
  /**
   * Locks the subject and returns its fingerprint, which changes whenever the subject does. A confirmation is rejected
   * if it differs from the one that the proposer saw.
   */
  readonly fingerprint?: SubjectFingerprint
}

/** The body of the 202 for a request that waits for a second person. */
export const ProposedChange = Named('ProposedChange', {
  approval_id: Uuid('The approval.'),
  confirm_duty: Type.Enum(duties, { description: 'The duty that the second person needs.' }),
})

/** A write must state whether it needs a second person, so that no path that moves value lacks a decision. */
export type StatedApproval<H extends { readonly method: string }> = H['method'] extends 'GET'
  ? unknown
  : { readonly approval: 'never' | 'policy' | 'always' }

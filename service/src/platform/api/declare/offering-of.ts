import type { Transaction } from '../../postgres/transaction.ts'
import type { Duty, LimitableDuty } from './duties.ts'

/**
 * Finds the offering that a request concerns. `none`: it concerns no single offering, so a duty that is limited to
 * offerings does not permit it. A function returns null if there is no such offering.
 */
export type OfferingOf =
  | 'params.offeringId'
  | 'none'
  | ((params: Readonly<Record<string, string>>, context: OfferingContext) => Promise<string | null>)

export interface OfferingContext {
  readonly tenantId: string
  readonly tx: Transaction
}

/** If the duty can be limited to offerings, the pipeline must know the offering of each request. */
export type StatedOffering<H extends { readonly duty: Duty }> = H['duty'] extends LimitableDuty
  ? { readonly offering: OfferingOf }
  : unknown

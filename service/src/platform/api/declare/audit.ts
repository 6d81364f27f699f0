import type { Transaction } from '../../postgres/transaction.ts'

export const actorTypes = ['user', 'credential', 'maintenance', 'system', 'simulation'] as const

/** The caller who makes a change, and the request in which it is made. */
export interface Actor {
  readonly type: (typeof actorTypes)[number]
  readonly id: string | null
  readonly requestId: string | null
  /** The second person and what they confirmed, if the change needed one. */
  readonly confirmation?: { readonly userId: string; readonly approvalId: string }
}

/** One change, in the names of the API. Personal data is named (`changed: ['bank_account']`) and never shown. */
export interface AuditEntry {
  /** The subject and a verb in the past tense, such as `offering.opened`. */
  readonly action: `${string}.${string}`
  readonly subject: { readonly type: string; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** Reports what an operation changed, or that it changed nothing. */
export type Audit = (entry: AuditEntry | 'nothing changed') => void

/** Collects the audit entries of one request and writes them at the end of its transaction. */
export interface RequestAudit {
  readonly add: Audit
  /** True until the operation reports a change or that nothing changed. */
  readonly isSilent: boolean
  write(tx: Transaction): Promise<void>
}

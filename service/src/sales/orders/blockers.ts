import type { Sql } from '../../platform/postgres/sql.ts'
import { type Ineligibility, ineligibilities } from '../blockers/ineligibility.sql.ts'
import { ineligibilityTexts } from '../eligibility/ineligibility-texts.ts'
import type { MintPreconditions } from './mint-preconditions.ts'
import { canHaveBlockers } from './order-status.ts'
import { isNotPaidInTime, isOrdered, offeringConditions, ofOfferingWith } from './order-transition.sql.ts'

/** Reason why an order does not advance, and its remedy. */
export interface Blocker {
  readonly code: BlockerCode
  readonly message: string
  readonly remedy: string
}

interface BlockerRule {
  /**
   * payment: the order is not paid. precondition: keeps a paid order from READYTOMINT. mint: keeps an order that is
   * READYTOMINT from being minted.
   */
  readonly stage: 'payment' | 'precondition' | 'mint'
  readonly applies: (order: MintPreconditions) => boolean
  /** Condition by which a list finds these orders. A blocker has rows instead if order-blocker.sql.ts says so. */
  readonly listed?: Sql
  readonly message: (order: MintPreconditions) => string
  readonly remedy: (order: MintPreconditions) => string
}

/** Blockers that the rules of the offering cause. */
const ineligibilityRules = Object.fromEntries(
  ineligibilities.map((code): [Ineligibility, BlockerRule] => {
    const { message, remedy } = ineligibilityTexts[code]
    const applies = ({ ineligibility }: MintPreconditions) => ineligibility.includes(code)
    return [code, { stage: 'precondition', applies, message: () => message, remedy: () => remedy }]
  }),
) as Readonly<Record<Ineligibility, BlockerRule>>

/**
 * All blockers, in the order in which an operator sees them. The API takes its codes from this table. CONTRIBUTING.md
 * says what else a new one needs.
 */
export const blockerRules = {
  payment_missing: {
    stage: 'payment',
    applies: ({ status }) => status === 'ORDERED',
    listed: isOrdered,
    message: ({ totalAmount, paidAmount, currency, paymentDueAt }) => {
      const due = paymentDueAt.toISOString()
      return `${totalAmount.minus(paidAmount)} ${currency} are missing; payment is due at ${due}.`
    },
    remedy: () => 'Record the payment when it has arrived, or extend the payment deadline.',
  },
  payment_overdue: {
    stage: 'payment',
    applies: ({ status }) => status === 'NOPAYMENT',
    listed: isNotPaidInTime,
    message: ({ paymentDueAt }) => `The order was not paid by its deadline at ${paymentDueAt.toISOString()}.`,
    remedy: () => 'Extend the payment deadline, accept a late payment, or cancel the order.',
  },
  approval_missing: {
    stage: 'precondition',
    applies: ({ approval }) => approval !== 'APPROVED',
    message: (order) => `The ${approvalOf(order)} status of the account is ${order.approval}.`,
    remedy: (order) => `Set ${approvalOf(order)} of the account to APPROVED after the check.`,
  },
  benefiting_person_missing: {
    stage: 'precondition',
    applies: ({ accountType, benefitingPersonCount }) => accountType === 'COMPANY' && benefitingPersonCount === 0,
    message: () => 'The account is a company without a benefiting person.',
    remedy: () => 'Have the integrator add the benefiting persons of the company.',
  },
  wallet_missing: {
    stage: 'precondition',
    applies: ({ walletId }) => walletId === null,
    message: ({ blockchain }) => `The account has no active wallet on ${blockchain}.`,
    remedy: ({ blockchain }) => `Register a wallet on ${blockchain} and have its owner prove it, or resume one.`,
  },
  acceptance_missing: {
    stage: 'precondition',
    applies: ({ acceptanceRequired, acceptedAt }) => acceptanceRequired && acceptedAt === null,
    message: () => 'The offering requires an operator to accept each order, and this order is not accepted.',
    remedy: () => 'Accept the order, or cancel it.',
  },
  ...ineligibilityRules,
  soft_cap_missing: {
    stage: 'precondition',
    ...causedByOffering('isSoftCapMissing'),
    message: () => 'The paid orders of the offering have not reached its soft cap.',
    remedy: () => 'Wait for further paid orders. If the offering closes without reaching it, refund all its orders.',
  },
  token_missing: {
    stage: 'mint',
    ...causedByOffering('isTokenMissing'),
    message: ({ blockchain }) => `The token of the offering is not deployed on ${blockchain} yet.`,
    remedy: ({ blockchain }) => `Wait for the deployment. It needs a tenant signer on ${blockchain} with enough gas.`,
  },
  token_unreadable: {
    stage: 'mint',
    ...causedByOffering('isTokenUnreadable'),
    message: ({ blockchain }) => `The transfers of the token cannot be read from ${blockchain}.`,
    remedy: () => 'Wait: minting resumes by itself. If it lasts, use another node of the chain.',
  },
  minting_stopped: {
    stage: 'mint',
    ...causedByOffering('isMintingStopped'),
    message: ({ mintingStopped }) => `Minting of the offering is stopped: ${mintingStopped}.`,
    remedy: () => 'Find out why the chain and the database differ, then resume minting.',
  },
  mint_on_hold: {
    stage: 'mint',
    applies: ({ mintHoldReason }) => mintHoldReason !== null,
    message: ({ mintHoldReason }) => `The mint was rejected: ${mintHoldReason}.`,
    remedy: () => 'Fix the reason, then release the order.',
  },
} as const satisfies Record<string, BlockerRule>

export type BlockerCode = keyof typeof blockerRules

export const blockerCodes = Object.keys(blockerRules) as [BlockerCode, ...BlockerCode[]]

/** Returns all blockers, not just the first, so an operator can fix everything in one pass. */
export function blockersOf(order: MintPreconditions): Blocker[] {
  if (!canHaveBlockers(order.status)) return []
  const mint = order.status === 'READYTOMINT' ? blockersOfStage('mint', order) : []
  return [...blockersOfStage('payment', order), ...preconditionBlockers(order), ...mint]
}

/** Returns the blockers that keep a paid order from READYTOMINT. */
export function preconditionBlockers(order: MintPreconditions): Blocker[] {
  return blockersOfStage('precondition', order)
}

function blockersOfStage(stage: BlockerRule['stage'], order: MintPreconditions): Blocker[] {
  return blockerCodes.flatMap((code) => {
    const rule: BlockerRule = blockerRules[code]
    if (rule.stage !== stage || !rule.applies(order)) return []
    return [{ code, message: rule.message(order), remedy: rule.remedy(order) }]
  })
}

function causedByOffering(name: keyof typeof offeringConditions): Pick<BlockerRule, 'applies'> & { listed: Sql } {
  return { applies: (order) => order[name], listed: ofOfferingWith(offeringConditions[name]) }
}

function approvalOf({ accountType }: MintPreconditions): 'kyb' | 'kyc' {
  return accountType === 'COMPANY' ? 'kyb' : 'kyc'
}

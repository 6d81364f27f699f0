import type { Ineligibility } from '../../sales/blockers/ineligibility.sql.ts'
import { ineligibilityTexts } from '../../sales/eligibility/ineligibility-texts.ts'
import type { TokenTransferRow } from './transfer.sql.ts'
import type { TransferFacts } from './transfer-facts.sql.ts'
import { isForced, isOpen, isWithinAccount } from './transfer-status.ts'

/** Reason why a transfer does not advance, and its remedy. */
export interface TransferBlocker {
  readonly code: TransferBlockerCode
  readonly message: string
  readonly remedy: string
}

type Checked = TokenTransferRow & TransferFacts & { readonly now: Date }

interface Rule {
  /** precondition: required for the approval and everything after it. step: the next thing to happen in this status. */
  readonly stage: 'precondition' | 'step'
  readonly applies: (transfer: Checked) => boolean
  readonly message: (transfer: Checked) => string
  readonly remedy: string
}

/** All blockers, in the order in which an operator sees them. The API schema takes its codes from this table. */
const rules = {
  token_missing: {
    stage: 'precondition',
    applies: ({ isTokenMissing }) => isTokenMissing,
    message: ({ blockchain }) => `The token of the offering is not deployed on ${blockchain} yet.`,
    remedy: 'Wait for the deployment.',
  },
  token_unreadable: {
    stage: 'precondition',
    applies: ({ isTokenUnreadable }) => isTokenUnreadable,
    message: ({ blockchain }) => `The transfers of the token cannot be read from ${blockchain}.`,
    remedy: 'Wait: this ends by itself. If it lasts, use another node of the chain.',
  },
  offering_paused: {
    stage: 'precondition',
    applies: ({ offeringStatus, mintingStopped }) => offeringStatus === 'PAUSED' || mintingStopped !== null,
    message: ({ mintingStopped }) =>
      mintingStopped === null ? 'The offering is paused.' : `Minting of the offering is stopped: ${mintingStopped}.`,
    remedy: 'Resume the offering, or its minting, once the cause is found.',
  },
  locked_up: {
    stage: 'precondition',
    applies: (transfer) => isLockedUp(transfer) && !mayMoveLockedUnits(transfer),
    message: ({ lockUpUntil }) => `Units of the offering are locked up until ${lockUpUntil?.toISOString()}.`,
    remedy:
      'Wait until then. Lost keys and an inheritance do not wait, nor a change of wallet unless the token itself ' +
      'enforces the lock-up.',
  },
  units_missing: {
    stage: 'precondition',
    applies: ({ balance, units }) => BigInt(balance) < BigInt(units),
    message: ({ balance, units }) => `The wallet of the sender has ${balance} units and not ${units}.`,
    remedy: 'Wait until the units have arrived in a finalized block, or request fewer.',
  },
  units_frozen: {
    stage: 'precondition',
    applies: ({ balance, frozen, units, isFreezing }) =>
      isFreezing || (BigInt(balance) >= BigInt(units) && BigInt(balance) - BigInt(frozen) < BigInt(units)),
    message: ({ frozen, isFreezing }) =>
      isFreezing ? 'A freeze of units of this token is being executed.' : `${frozen} units of the sender are frozen.`,
    remedy: 'Wait for the end of the freeze, or request fewer units.',
  },
  sender_wallet_inactive: {
    stage: 'precondition',
    applies: ({ reason, isSenderActive }) => !isForced(reason) && !isSenderActive,
    message: () => 'The wallet of the sender is not active.',
    remedy: 'Have its owner prove it, or resume it. If its keys are lost, request the transfer with that reason.',
  },
  sender_not_registered: {
    stage: 'precondition',
    applies: ({ reason, isSenderRegistered }) => !isForced(reason) && !isSenderRegistered,
    message: () => 'The wallet of the sender is not registered with the token.',
    remedy: 'Approve the account of the sender: its wallets are then registered again.',
  },
  receiver_wallet_inactive: {
    stage: 'precondition',
    applies: ({ isReceiverActive }) => !isReceiverActive,
    message: () => 'The wallet of the receiver is not active.',
    remedy: 'Have its owner prove it, or resume it.',
  },
  receiver_approval_missing: {
    stage: 'precondition',
    applies: ({ receiverApproval }) => receiverApproval !== 'APPROVED',
    message: ({ receiverApproval }) => `The approval status of the receiver is ${receiverApproval}.`,
    remedy: 'Set kyc (individual) or kyb (company) of the account to APPROVED after the check.',
  },
  benefiting_person_missing: {
    stage: 'precondition',
    applies: ({ receiverType, benefitingPersonCount }) => receiverType === 'COMPANY' && benefitingPersonCount === 0,
    message: () => 'The receiver is a company without a benefiting person.',
    remedy: 'Have the integrator add the benefiting persons of the company.',
  },
  country_not_allowed: ineligible('country_not_allowed'),
  account_type_not_allowed: ineligible('account_type_not_allowed'),
  account_not_invited: ineligible('account_not_invited'),
  document_not_accepted: ineligible('document_not_accepted'),
  questionnaire_missing: ineligible('questionnaire_missing'),
  questionnaire_refused: ineligible('questionnaire_refused'),
  approval_missing: {
    stage: 'step',
    applies: ({ status }) => status === 'REQUESTED',
    message: () => 'No operator has approved the transfer.',
    remedy: 'Approve or reject it once nothing else blocks it.',
  },
  registration_missing: {
    stage: 'step',
    applies: ({ status, isReceiverRegistered }) => status !== 'REQUESTED' && !isReceiverRegistered,
    message: () => 'The wallet of the receiver is not registered with the token yet.',
    remedy: 'Wait for the chain op that registers it, or retry it if it failed.',
  },
  forced_transfer_missing: {
    stage: 'step',
    applies: ({ status, reason, opState }) => status === 'READY' && isForced(reason) && !isMoving(opState),
    message: () => 'The sender cannot sign, and two persons have not confirmed the forced transfer.',
    remedy: 'Propose the forced transfer and have another person confirm it.',
  },
} as const satisfies Record<string, Rule>

export type TransferBlockerCode = keyof typeof rules

export const transferBlockerCodes = Object.keys(rules) as [TransferBlockerCode, ...TransferBlockerCode[]]

/** Returns all blockers of an open transfer, so that an operator can fix everything in one pass. */
export function transferBlockersOf(transfer: Checked): TransferBlocker[] {
  if (!isOpen(transfer.status)) return []
  return [...blockersOfStage('precondition', transfer), ...blockersOfStage('step', transfer)]
}

/** Returns the blockers that keep a transfer from being approved or forced. */
export function transferPreconditions(transfer: Checked): TransferBlocker[] {
  return blockersOfStage('precondition', transfer)
}

function blockersOfStage(stage: Rule['stage'], transfer: Checked): TransferBlocker[] {
  return transferBlockerCodes.flatMap((code) => {
    const rule: Rule = rules[code]
    if (rule.stage !== stage || !rule.applies(transfer)) return []
    return [{ code, message: rule.message(transfer), remedy: rule.remedy }]
  })
}

/** Builds a rule of the offering. It does not apply to a wallet of the same account, which has been eligible before. */
function ineligible(code: Exclude<Ineligibility, 'investor_limit_exceeded'>): Rule {
  return {
    stage: 'precondition',
    applies: ({ reason, ineligibility }) => !isWithinAccount(reason) && ineligibility.includes(code),
    message: () => ineligibilityTexts[code].message,
    remedy: 'Clear it as for an order of the receiver, or reject the transfer.',
  }
}

function isLockedUp({ lockUpUntil, now }: Checked): boolean {
  return lockUpUntil !== null && lockUpUntil > now
}

/**
 * Returns true if lock-up does not apply: the owner stays the same, or an heir becomes the owner by law. But the sender
 * of a change of wallet signs it, and a token that enforces the lock-up rejects that.
 */
function mayMoveLockedUnits({ reason, tokenEnforcesLockUp }: Checked): boolean {
  return isForced(reason) || (isWithinAccount(reason) && !tokenEnforcesLockUp)
}

/** Returns true if a forced transfer is on its way or may have happened: another one would move the units twice. */
export function isMoving(opState: TransferFacts['opState']): boolean {
  return opState !== null && opState !== 'REVERTED' && opState !== 'CANCELLED'
}

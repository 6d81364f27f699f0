import type { eventTypes } from '../base/generated/operations.ts'
import {
  account,
  approve,
  benefitingPerson,
  cancel,
  cancelTransfer,
  changeAccount,
  company,
  completeTransfer,
  distribute,
  order,
  passDeadline,
  pay,
  reject,
  requestTransfer,
  type Step,
  startMintFailure,
  wallet,
} from './trigger-steps.ts'

type EventType = (typeof eventTypes)[number]

/** The steps that lead to an event. The steps in `afterwards` run once its `event` has occurred. */
export interface Recipe {
  readonly steps: readonly Step[]
  readonly afterwards?: { readonly event: EventType; readonly steps: readonly Step[] }
}

const minting: Recipe = { steps: [account, approve, wallet, order, pay('exact')] }
const failing: Recipe = { steps: [account, approve, wallet, startMintFailure, order, pay('exact')] }

/** Runs steps on units that are already minted. */
const afterMint = (...steps: Step[]): Recipe => ({ ...minting, afterwards: { event: 'order.minted', steps } })

const byOperators = 'only an operator can cause it, through the operator API'
const byBanks = 'only a bank can cause it: an operator imports a statement in which a payment is reversed'
const byExtracts = 'request an extract with the command `register-extracts create`'
const byAdmins = 'only an admin of the tenant can cause it, through the operator API'

/** The recipe that triggers each event type, or the reason why the CLI cannot. */
export const recipes: Record<EventType, Recipe | string> = {
  'account.created': { steps: [account] },
  'account.updated': { steps: [account, changeAccount] },
  'account.approval_changed': { steps: [account, approve] },
  'account.erased': byOperators,
  'benefiting_person.created': { steps: [company, benefitingPerson] },
  'offering.opened': byOperators,
  'offering.closed': byOperators,
  'offering.changed': byOperators,
  'order.created': { steps: [account, order] },
  'order.part_paid': { steps: [account, order, pay('short')] },
  'order.paid': { steps: [account, order, pay('exact')] },
  'order.not_paid_in_time': { steps: [account, order, passDeadline] },
  'order.extended': byOperators,
  'order.payment_reversed': byBanks,
  'order.accepted': byOperators,
  'order.blocked': { steps: [account, order, pay('exact')] },
  'order.ready_to_mint': minting,
  'order.mint_preconditions_lost': { ...failing, afterwards: { event: 'order.mint_failed', steps: [reject] } },
  'order.minting': minting,
  'order.mint_failed': failing,
  'order.minted': minting,
  'order.cancelled': { steps: [account, order, cancel] },
  'payment.received': { steps: [account, order, pay('exact')] },
  'payment.reversed': byBanks,
  'refund.due': { steps: [account, order, pay('over')] },
  'refund.sent': byOperators,
  'refund.settled': byOperators,
  'refund.failed': byOperators,
  'refund.withdrawn': byOperators,
  'wallet.registered': { steps: [account, wallet] },
  'wallet.activated': { steps: [account, wallet] },
  'wallet.suspended': byOperators,
  'wallet.resumed': byOperators,
  'wallet.retired': byOperators,
  'wallet.reopened': byOperators,
  'wallet.expired': byOperators,
  'transaction.pending': minting,
  'transaction.confirmed': minting,
  'transfer.created': { steps: [account, wallet, requestTransfer] },
  'transfer.ready': afterMint(requestTransfer, completeTransfer),
  'transfer.completed': afterMint(requestTransfer, completeTransfer),
  'transfer.cancelled': { steps: [account, wallet, requestTransfer, cancelTransfer] },
  'transfer.rejected': byOperators,
  'distribution.announced': afterMint(distribute('announced')),
  'distribution.withdrawn': byOperators,
  'entitlement.paid': afterMint(distribute('paid')),
  'entitlement.failed': afterMint(distribute('failed')),
  'register_extract.created': byExtracts,
  'credential.issued': byAdmins,
  'credential.changed': byAdmins,
  'credential.rotated': byAdmins,
  'credential.disabled': byAdmins,
  'events.restored': 'only a restore of the service from a backup causes it',
}

export function hasMintFailure({ steps }: Recipe): boolean {
  return steps.includes(startMintFailure)
}

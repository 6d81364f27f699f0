import type { AccountType } from '../accounts/account.sql.ts'
import type { OrderStatus } from './order-status.ts'

/** Why an order does not advance, and what would clear it. */
export interface Blocker {
  readonly code: (typeof blockerCodes)[number]
  readonly message: string
  readonly remedy: string
}

export const blockerCodes = [
  'payment_missing',
  'payment_overdue',
  'approval_missing',
  'benefiting_person_missing',
  'wallet_missing',
  'acceptance_missing',
  'token_missing',
  'minting_stopped',
  'mint_held',
] as const

/** All that decides whether an order may be minted. */
export interface GateFacts {
  readonly status: OrderStatus
  readonly amountMissing: string
  readonly currency: string
  readonly paymentDueAt: Date
  readonly accountType: AccountType
  readonly approval: string
  readonly benefitingPersonCount: number
  readonly blockchain: string
  /** The wallet that the tokens would go to. */
  readonly walletId: string | null
  readonly isAcceptanceMissing: boolean
  readonly isTokenMissing: boolean
  readonly mintingStopped: string | null
  readonly heldReason: string | null
}

/** Everything that is missing, not only the first: an operator shall not be sent round in circles. */
export function blockersOf(facts: GateFacts): Blocker[] {
  if (facts.status === 'MINTING' || facts.status === 'MINTED' || facts.status === 'CANCELLED') return []
  return [...paymentBlockers(facts), ...gateBlockers(facts), ...mintBlockers(facts)]
}

function paymentBlockers({ status, amountMissing, currency, paymentDueAt }: GateFacts): Blocker[] {
  const due = paymentDueAt.toISOString()
  if (status === 'ORDERED')
    return [
      {
        code: 'payment_missing',
        message: `${amountMissing} ${currency} are missing; payment is due at ${due}.`,
        remedy: 'Record the payment when the money has arrived, or give the order more time.',
      },
    ]
  if (status === 'NOPAYMENT')
    return [
      {
        code: 'payment_overdue',
        message: `The order was not paid when payment was due at ${due}.`,
        remedy: 'Give it more time, accept money that came late, or cancel it.',
      },
    ]
  return []
}

/** What keeps a paid order from being minted. */
export function gateBlockers(facts: GateFacts): Blocker[] {
  const isCompany = facts.accountType === 'COMPANY'
  const approval = isCompany ? 'kyb' : 'kyc'
  const gates: [isShut: boolean, blocker: Blocker][] = [
    [
      facts.approval !== 'APPROVED',
      {
        code: 'approval_missing',
        message: `The ${approval} status of the account is ${facts.approval}.`,
        remedy: `Set ${approval} of the account to APPROVED once it is.`,
      },
    ],
    [
      isCompany && facts.benefitingPersonCount === 0,
      {
        code: 'benefiting_person_missing',
        message: 'The account is a company and has no benefiting person.',
        remedy: 'Have the integrator add who benefits from the company.',
      },
    ],
    [
      facts.walletId === null,
      {
        code: 'wallet_missing',
        message: `The account has no active wallet on ${facts.blockchain}.`,
        remedy: `Register a wallet on ${facts.blockchain} and have its ownership proven, or resume one.`,
      },
    ],
    [
      facts.isAcceptanceMissing,
      {
        code: 'acceptance_missing',
        message: 'The offering asks for each order to be accepted, and this one is not.',
        remedy: 'Accept the order, or cancel it.',
      },
    ],
  ]
  return gates.filter(([isShut]) => isShut).map(([, blocker]) => blocker)
}

/** What keeps an order that is ready from being planned. */
function mintBlockers({ status, blockchain, isTokenMissing, mintingStopped, heldReason }: GateFacts): Blocker[] {
  if (status !== 'READYTOMINT') return []
  const reasons: [isShut: boolean, blocker: Blocker][] = [
    [
      isTokenMissing,
      {
        code: 'token_missing',
        message: `The token of the offering is not on ${blockchain} yet.`,
        remedy: `Wait for its deployment; it needs a signer of the tenant on ${blockchain} that has gas money.`,
      },
    ],
    [
      mintingStopped !== null,
      {
        code: 'minting_stopped',
        message: `Minting of the offering was stopped: ${mintingStopped}.`,
        remedy: 'Find out why the chain and our books differ, then let minting go on.',
      },
    ],
    [
      heldReason !== null,
      {
        code: 'mint_held',
        message: `Its mint was refused: ${heldReason}.`,
        remedy: 'Mend what the reason names, then release the order.',
      },
    ],
  ]
  return reasons.filter(([isShut]) => isShut).map(([, blocker]) => blocker)
}

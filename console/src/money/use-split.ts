import { useCallback, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { scaleOf } from '../api/minor-unit-digits.ts'
import { subtract, trimmed } from '../parts/decimal.ts'
import type { Part } from './matching-actions.ts'
import type { Candidate } from './use-candidates.ts'

export interface Split {
  readonly isOn: boolean
  readonly toggle: () => void
  readonly amountOf: (orderId: string) => string
  readonly isWrong: (orderId: string) => boolean
  readonly setAmount: (orderId: string, text: string) => void
  /** Undefined unless all amounts are valid and the payment covers them. */
  readonly parts: readonly Part[] | undefined
  readonly sum: string
  readonly rest: string
}

/** Splits a payment. Each part starts with its order's outstanding amount, as far as the payment goes. */
export function useSplit(payment: Schemas['ListedUnassignedPayment'], candidates: readonly Candidate[]): Split {
  const [isOn, setOn] = useState(false)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const proposed = proposedAmounts(payment.unassigned_amount, candidates)
  const amountOf = (orderId: string) => typed[orderId] ?? proposed.get(orderId) ?? ''
  const isWrong = (orderId: string) => amountOf(orderId) !== '' && !isAmount(amountOf(orderId))
  const chosen = candidates
    .map(({ order }) => ({ order, amount: amountOf(order.id) }))
    .filter(({ amount }) => isAmount(amount) && !/^0*\.?0*$/.test(amount))
  const rest = chosen.reduce((left, { amount }) => subtract(left, amount), payment.unassigned_amount)
  const isValid = candidates.every(({ order }) => !isWrong(order.id)) && !rest.startsWith('-')
  return {
    isOn,
    toggle: useCallback(() => setOn((before) => !before), []),
    amountOf,
    isWrong,
    setAmount: (orderId, text) => setTyped((before) => ({ ...before, [orderId]: text.trim() })),
    parts: isValid ? chosen : undefined,
    sum: subtract(payment.unassigned_amount, rest),
    rest,
  }
}

function isAmount(text: string): boolean {
  return /^\d{1,15}(\.\d{1,6})?$/.test(text)
}

function proposedAmounts(amount: string, candidates: readonly Candidate[]): ReadonlyMap<string, string> {
  const proposed = new Map<string, string>()
  let left = amount
  for (const { order } of candidates) {
    const missing = subtract(order.total_amount, order.paid_amount)
    const rest = subtract(left, missing)
    if (rest.startsWith('-') || missing.startsWith('-')) continue
    proposed.set(order.id, trimmed(missing, scaleOf(order.currency)))
    left = rest
  }
  return proposed
}

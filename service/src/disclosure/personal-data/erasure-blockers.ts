import type { ErasureFacts } from './erasure-facts.sql.ts'

/** Returns the reasons why the personal data of an account must stay, as sentences. Empty if it may be erased. */
export function erasureBlockers(facts: ErasureFacts, now: Date): string[] {
  const { openOrders, unsettledRefunds, unpaidEntitlements, holdings, usedWallets, hadOrders, keptUntil } = facts
  const blockers: string[] = []
  if (openOrders > 0) blockers.push(`It has ${counted(openOrders, 'open order')}: wait until they end, or cancel them.`)
  if (unsettledRefunds > 0)
    blockers.push(
      `It has ${counted(unsettledRefunds, 'refund')} that the bank has not settled: settle or withdraw them.`,
    )
  if (unpaidEntitlements > 0)
    blockers.push(`It has ${counted(unpaidEntitlements, 'entitlement')} that are not paid: pay them first.`)
  if (holdings > 0)
    blockers.push(`Its wallets have tokens of ${counted(holdings, 'offering')}: the register needs names.`)
  if (usedWallets > 0) blockers.push(`It has ${counted(usedWallets, 'wallet')} in use: retire them.`)
  // Laws require business records to be kept, and an account without an order has none.
  if (hadOrders && keptUntil !== null && keptUntil > now)
    blockers.push(`Its data must be kept until ${keptUntil.toISOString().slice(0, 10)}: see retention_years.`)
  return blockers
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

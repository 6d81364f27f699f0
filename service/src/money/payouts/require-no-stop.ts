import { electronicFormatIBAN } from 'ibantools'
import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { payoutErrors } from './payout.errors.ts'
import { type AccountCoverage, findPayoutStop, type PayoutStop, selectCoverage } from './payout-stop.sql.ts'
import type { EnteredBankAccount } from './transfer.ts'

interface PayingRefund {
  readonly collectionAccount: Pick<EnteredBankAccount, 'iban'>
  readonly currency: string
}

/**
 * Rejects a payout after a restore of the database, until booked statements of every account that pays one of its
 * refunds cover the time since: a refund that was paid after the restored moment looks due, and would be paid twice.
 */
export async function requireNoStop(
  tx: Transaction,
  tenantId: string,
  refundsOfPayout: () => Promise<readonly PayingRefund[]>,
): Promise<void> {
  const stop = await findPayoutStop(tx, tenantId)
  if (!stop || stop.isResumed) return
  const refunds = await refundsOfPayout()
  const accounts = new Map(
    refunds.map(({ collectionAccount: { iban }, currency }) => {
      const account = electronicFormatIBAN(iban) ?? iban
      return [`${account} ${currency}`, { account, currency }]
    }),
  )
  const coverage = await selectCoverage(tx, tenantId, stop, [...accounts.values()])
  const missing = coverage.flatMap((one) => missingOf(one, stop))
  if (missing.length === 0) return
  throw new ApiError(
    payoutErrors.payouts_stopped,
    `The database was restored to ${stop.restoredTo.toISOString()}, so refunds that were paid later look due. ` +
      `Statements must cover ${stop.from} to ${stop.until}. ${missing.slice(0, missingMax).join(' ')}`,
  )
}

const missingMax = 5

function missingOf(
  { account, currency, beginsInTime, reachesEnd, gaps, unbooked, needAttention }: AccountCoverage,
  { from, until }: PayoutStop,
): string[] {
  const of = `of ${account} in ${currency}`
  return [
    beginsInTime ? '' : `Import a statement ${of} that closes on ${from} or earlier, and those after it.`,
    reachesEnd ? '' : `Import the statements ${of} until one closes on ${until} or later.`,
    gaps === 0 ? '' : `Import the missing statements ${of}, or resolve the gaps: ${gaps}.`,
    unbooked === 0 ? '' : `Book the statements ${of} that wait: ${unbooked}.`,
    needAttention === 0 ? '' : `Resolve the debits ${of} that need attention: ${needAttention}.`,
  ].filter((sentence) => sentence !== '')
}

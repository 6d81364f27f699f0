import { isCalendarDate } from '../../platform/api/declare/fields.ts'
import type { Money } from '../../platform/base/money.ts'
import type { ElementTexts } from './read-camt053-element.ts'
import { type EntryDetails, type ParsedEntry, provided } from './statement-parts.ts'

export interface EntryContext {
  readonly amount: Money
  readonly isDebit: boolean
  /** The transaction's position in its batch; 1 for the first. */
  readonly position: number
  /** Number of preceding transactions of the batch with the same bank reference. */
  readonly repeats: number
}

/** Builds the entry for one transaction (TxDtls) of a booked Ntry; undefined if the Ntry has no valid booking date. */
export function buildEntry(
  context: EntryContext,
  ntry: ElementTexts,
  transaction: ElementTexts,
): ParsedEntry | undefined {
  const { amount, isDebit, position, repeats } = context
  const bookedOn = bookingDate(ntry)
  if (bookedOn === undefined) return undefined
  const { bankReference, isOfTransaction } = bankReferenceOf(ntry, transaction)
  return {
    isCredit: !isDebit,
    isReversal: /^(true|1)$/.test(ntry.first('RvslInd') ?? ''),
    amount,
    bookedOn,
    bankReference,
    entryNumber: ntry.first('NtryRef') ?? null,
    // If a whole batch has one reference, the position distinguishes its transactions.
    ordinal: isOfTransaction ? repeats : position,
    details: detailsOf(ntry, transaction),
  }
}

function bookingDate(ntry: ElementTexts): string | undefined {
  const [text] = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'].flatMap((path) => ntry.first(path) ?? [])
  const date = text?.slice(0, 10) ?? ''
  return isCalendarDate(date) ? date : undefined
}

function detailsOf(ntry: ElementTexts, transaction: ElementTexts): EntryDetails {
  return {
    endToEndId: provided(transaction.first('Refs/EndToEndId')),
    creditorReference: transaction.first('RmtInf/Strd/CdtrRefInf/Ref') ?? null,
    text: remittanceText(ntry, transaction),
    payerName: transaction.first('RltdPties/Dbtr/Nm') ?? transaction.first('RltdPties/Dbtr/Pty/Nm') ?? null,
    payerIban: transaction.first('RltdPties/DbtrAcct/Id/IBAN') ?? null,
    isReturn:
      transaction.has('RtrInf/Rsn/Cd') || transaction.has('RtrInf/Rsn/Prtry') || transaction.has('RtrInf/AddtlInf'),
    returnCode: transaction.first('RtrInf/Rsn/Cd') ?? transaction.first('RtrInf/Rsn/Prtry') ?? null,
    returnText: transaction.all('RtrInf/AddtlInf').join(' ') || null,
  }
}

/** Banks split the remittance text into lines of 35 characters, in the middle of words and references. */
function remittanceText(ntry: ElementTexts, transaction: ElementTexts): string | null {
  const lines = transaction.all('RmtInf/Ustrd')
  const text = lines.length > 0 ? lines.join(' ') : (transaction.first('AddtlTxInf') ?? ntry.first('AddtlNtryInf'))
  return text?.slice(0, textLengthMax) ?? null
}

const textLengthMax = 4_000

/** A transaction's own reference takes precedence over the reference of its Ntry. */
function bankReferenceOf(
  ntry: ElementTexts,
  transaction: ElementTexts,
): { bankReference: string | null; isOfTransaction: boolean } {
  const ofNtry = provided(ntry.first('AcctSvcrRef'))
  const ofTransaction = provided(transaction.first('Refs/AcctSvcrRef'))
  const isOfTransaction = ofTransaction !== null && ofTransaction !== ofNtry
  return { bankReference: isOfTransaction ? ofTransaction : (ofNtry ?? ofTransaction), isOfTransaction }
}

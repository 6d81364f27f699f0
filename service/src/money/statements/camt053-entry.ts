import { isCalendarDate } from '../../platform/api/declare/fields.ts'
import type { Money } from '../../platform/base/money.ts'
import type { ElementTexts } from './camt053-element.ts'
import { fingerprint } from './entry-fingerprint.ts'
import type { EntryDetails, ParsedEntry } from './statement-parts.ts'

export interface EntryContext {
  readonly account: string
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
  const { account, amount, isDebit, position, repeats } = context
  const bookedOn = bookingDate(ntry)
  if (bookedOn === undefined) return undefined
  const details = detailsOf(ntry, transaction)
  const isReversal = /^(true|1)$/.test(ntry.first('RvslInd') ?? '')
  const { bankReference, isOfTransaction } = bankReferenceOf(ntry, transaction)
  // Includes amount and direction, because banks often give a fee or a reversal the reference of its transfer.
  const common = [account, amount.partsAt(5), isDebit, isReversal]
  return {
    fingerprint: bankReference
      ? // If a whole batch has one reference, the position distinguishes its transactions.
        fingerprint(['reference', ...common, bankReference, isOfTransaction ? repeats : position])
      : fingerprint(['contents', ...common, bookedOn, ntry.first('NtryRef'), position, ...Object.values(details)]),
    isCredit: !isDebit,
    isReversal,
    amount,
    bookedOn,
    bankReference: bankReference?.slice(0, 70) ?? null,
    details,
  }
}

function bookingDate(ntry: ElementTexts): string | undefined {
  const [text] = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'].flatMap((path) => ntry.first(path) ?? [])
  const date = text?.slice(0, 10) ?? ''
  return isCalendarDate(date) ? date : undefined
}

/** The order of the members is part of the fingerprint. */
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

/** A transaction's own reference is preferred to that of its Ntry. */
function bankReferenceOf(
  ntry: ElementTexts,
  transaction: ElementTexts,
): { bankReference: string | null; isOfTransaction: boolean } {
  const ofNtry = provided(ntry.first('AcctSvcrRef'))
  const ofTransaction = provided(transaction.first('Refs/AcctSvcrRef'))
  const isOfTransaction = ofTransaction !== null && ofTransaction !== ofNtry
  return { bankReference: isOfTransaction ? ofTransaction : (ofNtry ?? ofTransaction), isOfTransaction }
}

function provided(text: string | undefined): string | null {
  return text === undefined || placeholders.has(text.toUpperCase()) ? null : text
}

const placeholders = new Set(['NOTPROVIDED', 'NONREF', 'NOREF', 'NONE', 'UNKNOWN'])

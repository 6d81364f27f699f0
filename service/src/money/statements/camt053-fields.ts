import { createHash } from 'node:crypto'
import { isCalendarDate } from '../../platform/api/declare/fields.ts'
import { minorUnitDigits } from '../../platform/base/money.ts'
import { type ElementScope, fromScale } from './camt053-scope.ts'

export type EntryFields = Pick<ElementScope, 'first' | 'all' | 'has'>

export interface Balance {
  readonly type: string
  readonly currency: string
  readonly amount: bigint
}

/** One transaction of a statement: money that came or went. */
export interface Movement {
  /** The same for the same transaction, in whatever file it stands. */
  readonly identity: string
  readonly line: number
  readonly isCredit: boolean
  readonly isReversal: boolean
  readonly amount: string
  readonly bookedOn: string
  /** How the bank calls it, where it does. */
  readonly bankReference: string | null
  /** What people wrote and who they are; sealed before it is kept. */
  readonly details: MovementDetails
}

export interface MovementDetails {
  readonly endToEndId: string | null
  readonly creditorReference: string | null
  readonly text: string | null
  readonly payerName: string | null
  readonly payerIban: string | null
  readonly isReturn: boolean
  readonly returnCode: string | null
  readonly returnText: string | null
}

// Banks write these where they have nothing to say.
const nothing = new Set(['NOTPROVIDED', 'NONREF', 'NOREF', 'NONE', 'UNKNOWN'])

/** Undefined where it has no date. */
export function movementOf(
  { account, currency, amount, isDebit }: { account: string; currency: string; amount: bigint; isDebit: boolean },
  { line, position, repeats }: { line: number; position: number; repeats: number },
  entry: EntryFields,
  transaction: EntryFields,
): Movement | undefined {
  const bookedOn = dayOf(entry)
  if (bookedOn === undefined) return undefined
  const said = (text: string | undefined) => (text === undefined || nothing.has(text.toUpperCase()) ? null : text)
  const details: MovementDetails = {
    endToEndId: said(transaction.first('Refs/EndToEndId')),
    creditorReference: transaction.first('RmtInf/Strd/CdtrRefInf/Ref') ?? null,
    text: textOf(transaction, entry),
    payerName: transaction.first('RltdPties/Dbtr/Nm') ?? transaction.first('RltdPties/Dbtr/Pty/Nm') ?? null,
    payerIban: transaction.first('RltdPties/DbtrAcct/Id/IBAN') ?? null,
    isReturn:
      transaction.has('RtrInf/Rsn/Cd') || transaction.has('RtrInf/Rsn/Prtry') || transaction.has('RtrInf/AddtlInf'),
    returnCode: transaction.first('RtrInf/Rsn/Cd') ?? transaction.first('RtrInf/Rsn/Prtry') ?? null,
    returnText: transaction.all('RtrInf/AddtlInf').join(' ') || null,
  }
  const isReversal = /^(true|1)$/.test(entry.first('RvslInd') ?? '')
  const ofEntry = said(entry.first('AcctSvcrRef'))
  const ofTransaction = said(transaction.first('Refs/AcctSvcrRef'))
  const isOwn = ofTransaction !== null && ofTransaction !== ofEntry
  const bankReference = isOwn ? ofTransaction : (ofEntry ?? ofTransaction)
  // A bank may call a whole batch by one name: then each is known by its place in it.
  const place = isOwn ? repeats : position
  // Beside the reference, what is moved: the reversal and the fee of a transfer often have the name of the transfer.
  const moved = [account, amount, isDebit, isReversal]
  const identity = bankReference
    ? hashOf(['reference', ...moved, bankReference, place])
    : hashOf(['contents', ...moved, bookedOn, entry.first('NtryRef'), position, ...Object.values(details)])
  return {
    identity,
    line,
    isCredit: !isDebit,
    isReversal,
    amount: fromScale(amount, minorUnitDigits(currency) ?? 0),
    bookedOn,
    bankReference: bankReference?.slice(0, 70) ?? null,
    details,
  }
}

function dayOf(entry: EntryFields): string | undefined {
  const [text] = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'].flatMap((path) => entry.first(path) ?? [])
  const day = text?.slice(0, 10) ?? ''
  return isCalendarDate(day) ? day : undefined
}

/** Banks break what a payer wrote into lines of 35 characters, in the middle of words and references. */
function textOf(transaction: EntryFields, entry: EntryFields): string | null {
  const lines = transaction.all('RmtInf/Ustrd')
  const text = lines.length > 0 ? lines.join(' ') : (transaction.first('AddtlTxInf') ?? entry.first('AddtlNtryInf'))
  return text?.slice(0, textLengthMax) ?? null
}

const textLengthMax = 4_000

function hashOf(parts: readonly (string | number | bigint | boolean | null | undefined)[]): string {
  const text = JSON.stringify(parts.map((part) => (part === undefined || part === null ? null : String(part))))
  return createHash('sha256').update(text).digest('base64url')
}

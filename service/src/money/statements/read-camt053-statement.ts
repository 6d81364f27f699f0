import { isCalendarDate } from '../../platform/api/declare/fields.ts'
import type { DeclaredError } from '../../platform/api/errors/declare-errors.ts'
import type { ApiError } from '../../platform/api/errors/errors.ts'
import { Money } from '../../platform/base/money.ts'
import { ElementReader, type ElementTexts } from './read-camt053-element.ts'
import { buildEntry } from './read-camt053-entry.ts'
import { statementErrors } from './statement.errors.ts'
import type { StatementPart } from './statement-parts.ts'

/** The file around a statement, as far as the statement needs it. */
export interface Camt053File {
  emit(part: StatementPart): void
  /** Throws if the file has too many entries. */
  countEntry(): void
  line(): number
  error(error: DeclaredError, problem: string): ApiError
}

interface Balance {
  readonly type: string
  readonly day: string | null
  readonly amount: Money
}

/** An Ntry that is being read. */
interface OpenNtry {
  readonly texts: ElementTexts
  /** The last transaction read, not emitted yet. */
  pending: ElementTexts | undefined
  /** Number and sum of the emitted transactions; debits are negative. */
  count: number
  sum: Money
  lastReference: string | undefined
  repeats: number
}

/**
 * Reads one statement (Stmt) of a camt.053 file. Emits its start, its booked entries and its end, and checks that the
 * opening balance and the entries add up to the closing balance. Keeps only the current Ntry in memory.
 */
export class Camt053Statement {
  readonly #file: Camt053File
  readonly #texts: ElementTexts
  readonly #balances: Balance[] = []
  /** The sum of the booked entries so far; debits are negative. */
  #sum: Money | undefined
  #ntry: OpenNtry | undefined
  #header: { account: string; currency: string } | undefined

  constructor(file: Camt053File, texts: ElementTexts) {
    this.#file = file
    this.#texts = texts
  }

  closeBalance(balance: ElementTexts): void {
    const amount = this.#amountOf(balance.first('Amt'), balance.first('Amt@Ccy') ?? '')
    const isDebit = balance.first('CdtDbtInd') === 'DBIT'
    if (this.#balances.length < balancesMax)
      this.#balances.push({
        type: balance.first('Tp/CdOrPrtry/Cd') ?? '',
        day: dayOf(balance),
        amount: isDebit ? amount.negated() : amount,
      })
  }

  openNtry(texts: ElementTexts): void {
    const sum = Money.zero(this.#startedHeader().currency)
    this.#ntry = { texts, pending: undefined, count: 0, sum, lastReference: undefined, repeats: 0 }
  }

  /** Emits each transaction when the next one ends: the only transaction of an Ntry gets the amount of the Ntry. */
  closeTransaction(transaction: ElementTexts): void {
    const ntry = this.#ntry
    if (!ntry) return
    if (ntry.pending) this.#emitTransaction(ntry, ntry.pending)
    ntry.pending = transaction
  }

  closeNtry(): void {
    const ntry = this.#ntry
    this.#ntry = undefined
    if (!ntry || !isBooked(ntry.texts)) return
    const { currency } = this.#startedHeader()
    if (ntry.texts.first('Amt@Ccy') !== currency)
      throw this.#file.error(
        statementErrors.statement_currency_mismatch,
        `the account is in ${currency}, but an entry is not.`,
      )
    const amount = this.#amountOf(ntry.texts.first('Amt'), currency)
    const isDebit = this.#isDebit(ntry.texts)
    const signed = isDebit ? amount.negated() : amount
    if (ntry.count === 0) this.#emitEntry(ntry, ntry.pending ?? new ElementReader(), { amount, isDebit })
    else {
      if (ntry.pending) this.#emitTransaction(ntry, ntry.pending)
      if (!ntry.sum.equals(signed))
        throw this.#file.error(
          statementErrors.statement_unbalanced,
          'the transactions of a batch do not add up to the amount of their entry.',
        )
    }
    this.#sum = this.#sum?.plus(signed) ?? signed
  }

  close(): void {
    const { currency } = this.#startedHeader()
    const [opening, closing] = [this.#balance('OPBD') ?? this.#balance('PRCD'), this.#balance('CLBD')]
    if (!opening || !closing)
      throw this.#file.error(
        statementErrors.statement_unbalanced,
        'the statement has no opening (OPBD) or no closing (CLBD) balance.',
      )
    if (opening.amount.currency !== currency || closing.amount.currency !== currency)
      throw this.#file.error(
        statementErrors.statement_currency_mismatch,
        `the account is in ${currency}, but a balance is not.`,
      )
    if (!opening.amount.plus(this.#sum ?? Money.zero(currency)).equals(closing.amount))
      throw this.#file.error(
        statementErrors.statement_unbalanced,
        'the opening balance and the entries do not add up to the closing balance.',
      )
    this.#file.emit({
      kind: 'end',
      openingBalance: opening.amount,
      closingBalance: closing.amount,
      closesOn: closing.day,
    })
  }

  /** Emits the start of the statement on the first call: the account and the balances precede the first Ntry. */
  #startedHeader(): { account: string; currency: string } {
    if (this.#header) return this.#header
    const id = this.#texts.first('Acct/Id/IBAN') ?? this.#texts.first('Acct/Id/Othr/Id') ?? ''
    const account = id.replaceAll(/\s/g, '').toUpperCase().slice(0, 70)
    const currency = this.#texts.first('Acct/Ccy') ?? this.#balances[0]?.amount.currency ?? ''
    if (account === '')
      throw this.#file.error(statementErrors.statement_format_unsupported, 'the statement has no account (Acct/Id).')
    if (!/^[A-Z]{3}$/.test(currency))
      throw this.#file.error(statementErrors.statement_format_unsupported, 'the statement has no currency (Acct/Ccy).')
    this.#file.emit({
      kind: 'start',
      account,
      currency,
      bankId: (this.#texts.first('Id') ?? '').slice(0, 70),
      sequence: (this.#texts.first('ElctrncSeqNb') ?? this.#texts.first('LglSeqNb'))?.slice(0, 20) ?? null,
      line: this.#file.line(),
    })
    this.#header = { account, currency }
    return this.#header
  }

  /** Emits one transaction of a batch, which has its own amount. */
  #emitTransaction(ntry: OpenNtry, transaction: ElementTexts): void {
    if (!isBooked(ntry.texts)) return
    const isDebit = this.#isDebit(transaction.has('CdtDbtInd') ? transaction : ntry.texts)
    const { currency } = this.#startedHeader()
    const path = ['Amt', 'AmtDtls/TxAmt/Amt'].find((one) => transaction.first(`${one}@Ccy`) === currency)
    if (path === undefined)
      throw this.#file.error(
        statementErrors.statement_unbalanced,
        `a transaction of a batch has no amount in ${currency}.`,
      )
    this.#emitEntry(ntry, transaction, { amount: this.#amountOf(transaction.first(path), currency), isDebit })
  }

  #emitEntry(
    ntry: OpenNtry,
    transaction: ElementTexts,
    { amount, isDebit }: { amount: Money; isDebit: boolean },
  ): void {
    this.#file.countEntry()
    const reference = transaction.first('Refs/AcctSvcrRef')
    ntry.repeats = reference !== undefined && reference === ntry.lastReference ? ntry.repeats + 1 : 0
    ntry.lastReference = reference
    ntry.sum = isDebit ? ntry.sum.minus(amount) : ntry.sum.plus(amount)
    ntry.count += 1
    const context = { amount, isDebit, position: ntry.count, repeats: ntry.repeats }
    const entry = buildEntry(context, ntry.texts, transaction)
    if (!entry)
      throw this.#file.error(
        statementErrors.statement_format_unsupported,
        'an entry has no valid booking date (BookgDt or ValDt).',
      )
    this.#file.emit({ kind: 'entry', entry })
  }

  #balance(type: string): Balance | undefined {
    return this.#balances.find((balance) => balance.type === type)
  }

  #isDebit(texts: ElementTexts): boolean {
    const direction = texts.first('CdtDbtInd')
    if (direction !== 'CRDT' && direction !== 'DBIT')
      throw this.#file.error(
        statementErrors.statement_format_unsupported,
        'an entry is neither a credit (CRDT) nor a debit (DBIT): CdtDbtInd is missing or wrong.',
      )
    return direction === 'DBIT'
  }

  #amountOf(text: string | undefined, currency: string): Money {
    const [, decimal] = unsignedDecimal.exec(text ?? '') ?? []
    if (decimal === undefined)
      throw this.#file.error(statementErrors.statement_format_unsupported, 'an amount is not a valid decimal number.')
    return Money.parse(decimal, currency).normalized()
  }
}

const balancesMax = 50
// ISO 20022 allows five decimals.
const unsignedDecimal = /^\+?(\d{1,15}(?:\.\d{0,5})?)$/

function dayOf(balance: ElementTexts): string | null {
  const day = (balance.first('Dt/Dt') ?? balance.first('Dt/DtTm') ?? '').slice(0, 10)
  return isCalendarDate(day) ? day : null
}

/** Pending entries (PDNG) and informational ones (INFO) are not part of the balance. */
function isBooked(ntry: ElementTexts): boolean {
  return (ntry.first('Sts') ?? ntry.first('Sts/Cd')) === 'BOOK'
}

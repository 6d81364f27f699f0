import type { DeclaredError } from '../../platform/api/errors/declare-errors.ts'
import { fileError } from './camt053-error.ts'
import { type Balance, type EntryFields, type Movement, movementOf } from './camt053-fields.ts'
import type { OpenEntry, OpenStatement } from './camt053-open.ts'
import { ElementScope, inScale } from './camt053-scope.ts'
import { type XmlBounds, xmlBounds, xmlReader } from './read-xml.ts'
import { statementErrors } from './statement.errors.ts'

/** What a file says, in the order in which it says it. */
export type StatementPart =
  | {
      readonly kind: 'opened'
      readonly account: string
      readonly currency: string
      readonly bankId: string
      readonly sequence: string | null
      readonly line: number
    }
  | { readonly kind: 'movement'; readonly movement: Movement }
  | { readonly kind: 'closed'; readonly opening: Balance; readonly closing: Balance }

export interface CamtBounds extends XmlBounds {
  readonly statementsMax: number
  readonly movementsMax: number
}

// A file of 256 MiB cannot hold many more movements than this; the year of a large account has fewer.
export const camtBounds: CamtBounds = { ...xmlBounds, statementsMax: 1_000, movementsMax: 1_000_000 }

/**
 * Reads a bank statement in camt.053, of any version from 001.02 on, as it streams by: what one entry says is kept, and
 * nothing else. Each Stmt is checked when it ends: what was there before plus what moved is what is there after.
 */
export async function* readCamt053(
  bytes: AsyncIterable<Uint8Array>,
  bounds: CamtBounds = camtBounds,
): AsyncGenerator<readonly StatementPart[]> {
  const file = new CamtFile(bounds)
  for await (const piece of bytes) {
    file.reader.write(piece)
    const parts = file.take()
    if (parts.length > 0) yield parts
  }
  file.reader.end()
  file.requireStatement()
  const rest = file.take()
  if (rest.length > 0) yield rest
}

const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(\d\d)$/

class CamtFile {
  readonly reader
  readonly #bounds: CamtBounds
  readonly #path: string[] = []
  #parts: StatementPart[] = []
  #uri = ''
  #statementCount = 0
  #movementCount = 0
  #statement: OpenStatement | undefined
  /** Where texts go: of the statement, of one balance, of one entry or of one of its transactions. */
  readonly #scopes: ElementScope[] = []

  constructor(bounds: CamtBounds) {
    this.#bounds = bounds
    this.reader = xmlReader(
      {
        open: ({ name, uri, attribute }) => this.#open(name, uri, attribute('Ccy')),
        text: (text) => this.#require(this.#scopes.at(-1)?.text(text)),
        close: () => this.#close(),
      },
      bounds,
    )
  }

  take(): StatementPart[] {
    const parts = this.#parts
    this.#parts = []
    return parts
  }

  requireStatement(): void {
    if (this.#statementCount === 0)
      this.#reject(statementErrors.statement_format_unsupported, 'the file has no statement (Stmt) in it.')
  }

  #open(name: string, uri: string, currency: string | undefined): void {
    if (this.#path.length === 0) this.#openDocument(name, uri)
    // What others have put in between under a name of their own is passed over.
    this.#path.push(uri === this.#uri ? name : '?')
    const path = this.#path.join('/')
    if (path === 'Document/BkToCstmrStmt/Stmt') this.#openStatement()
    else if (this.#statement && path === balancePath) this.#push()
    else if (this.#statement && path === entryPath) this.#openEntry(this.#statement)
    else if (this.#statement && path === transactionPath) this.#push()
    else this.#scopes.at(-1)?.open(this.#path.at(-1) ?? '', currency)
  }

  #close(): void {
    const path = this.#path.join('/')
    this.#path.pop()
    const statement = this.#statement
    if (!statement) return
    if (path === transactionPath) this.#closeTransaction(statement, this.#pop())
    else if (path === entryPath) this.#closeEntry(statement, this.#pop())
    else if (path === balancePath) this.#closeBalance(statement, this.#pop())
    else if (path === 'Document/BkToCstmrStmt/Stmt') this.#closeStatement(statement)
    else this.#require(this.#scopes.at(-1)?.close())
  }

  #require(isSmall: boolean | undefined): void {
    if (isSmall === false)
      this.#reject(statementErrors.statement_unreadable, 'one entry says more than an entry can have to say.')
  }

  #openDocument(name: string, uri: string): void {
    const [, version] = namespace.exec(uri) ?? []
    if (name !== 'Document' || version === undefined || Number(version) < 2) {
      const [, other] = /:(camt\.05[0-9]|pain\.00[0-9]|pacs\.00[0-9])\.001\.\d\d$/.exec(uri) ?? []
      const named = version === undefined ? other : `camt.053.001.${version}, which is too old`
      const what = named ? `this is ${named}, and no statement that can be read.` : 'this is no bank statement.'
      this.#reject(statementErrors.statement_format_unsupported, what)
    }
    this.#uri = uri
  }

  #openStatement(): void {
    this.#statementCount += 1
    if (this.#statementCount > this.#bounds.statementsMax)
      this.#reject(
        statementErrors.statement_unreadable,
        `the file has more than ${this.#bounds.statementsMax} statements.`,
      )
    const fields = this.#push()
    this.#statement = { fields, balances: [], sum: 0n, entry: undefined, isTold: false }
  }

  #openEntry(statement: OpenStatement): void {
    this.#tell(statement)
    const fields = this.#push()
    statement.entry = {
      fields,
      line: this.reader.line(),
      held: undefined,
      count: 0,
      sum: 0n,
      lastReference: undefined,
      repeats: 0,
    }
  }

  /** The statement is told when its first entry begins: all that is about the whole of it stands before. */
  #tell(statement: OpenStatement): { account: string; currency: string } {
    const { fields } = statement
    const named = fields.first('Acct/Id/IBAN') ?? fields.first('Acct/Id/Othr/Id') ?? ''
    const account = named.replaceAll(/\s/g, '').toUpperCase().slice(0, 70)
    const currency = fields.first('Acct/Ccy') ?? statement.balances[0]?.currency ?? ''
    if (account === '')
      this.#reject(statementErrors.statement_format_unsupported, 'the statement does not say of which account it is.')
    if (!/^[A-Z]{3}$/.test(currency))
      this.#reject(
        statementErrors.statement_format_unsupported,
        'the statement does not say in which currency its account is.',
      )
    if (!statement.isTold)
      this.#parts.push({
        kind: 'opened',
        account,
        currency,
        bankId: (fields.first('Id') ?? '').slice(0, 70),
        sequence: (fields.first('ElctrncSeqNb') ?? fields.first('LglSeqNb'))?.slice(0, 20) ?? null,
        line: this.reader.line(),
      })
    statement.isTold = true
    return { account, currency }
  }

  #closeBalance(statement: OpenStatement, scope: ElementScope): void {
    const type = scope.first('Tp/CdOrPrtry/Cd') ?? ''
    const currency = scope.first('Amt@Ccy') ?? ''
    const amount = this.#amount(scope.first('Amt'))
    const isDebit = scope.first('CdtDbtInd') === 'DBIT'
    if (statement.balances.length < balancesMax)
      statement.balances.push({ type, currency, amount: isDebit ? -amount : amount })
  }

  #closeTransaction(statement: OpenStatement, scope: ElementScope): void {
    const { entry } = statement
    if (!entry) return
    // One that is alone has the amount of its entry: so the first is held back until it is known to be one of several.
    if (entry.held) this.#emit(statement, entry, entry.held)
    entry.held = scope
  }

  #closeEntry(statement: OpenStatement, scope: ElementScope): void {
    const { entry } = statement
    statement.entry = undefined
    if (!entry || !isBooked(scope)) return
    this.#requireCurrency(statement, scope)
    const amount = this.#amount(scope.first('Amt'))
    const isDebit = this.#isDebit(scope)
    if (entry.count === 0) this.#emit(statement, entry, entry.held ?? new ElementScope(), { amount, isDebit })
    else {
      if (entry.held) this.#emit(statement, entry, entry.held)
      if (entry.sum !== (isDebit ? -amount : amount))
        this.#reject(
          statementErrors.statement_unbalanced,
          'the transactions of a batch do not add up to the amount of their entry.',
        )
    }
    statement.sum += isDebit ? -amount : amount
  }

  #emit(
    statement: OpenStatement,
    entry: OpenEntry,
    transaction: ElementScope,
    whole?: { amount: bigint; isDebit: boolean },
  ): void {
    if (!isBooked(entry.fields)) return
    this.#movementCount += 1
    if (this.#movementCount > this.#bounds.movementsMax)
      this.#reject(statementErrors.statement_unreadable, `the file has more than ${this.#bounds.movementsMax} entries.`)
    const isDebit = whole?.isDebit ?? this.#isDebit(transaction.has('CdtDbtInd') ? transaction : entry.fields)
    const amount = whole?.amount ?? this.#partAmount(statement, transaction)
    const own = transaction.first('Refs/AcctSvcrRef')
    entry.repeats = own !== undefined && own === entry.lastReference ? entry.repeats + 1 : 0
    entry.lastReference = own
    entry.sum += isDebit ? -amount : amount
    entry.count += 1
    const { account, currency } = this.#tell(statement)
    const place = { line: entry.line, position: entry.count, repeats: entry.repeats }
    const movement = movementOf({ account, currency, amount, isDebit }, place, entry.fields, transaction)
    if (!movement)
      this.#reject(statementErrors.statement_format_unsupported, 'an entry has no booking date (BookgDt or ValDt).')
    else this.#parts.push({ kind: 'movement', movement })
  }

  #partAmount(statement: OpenStatement, transaction: ElementScope): bigint {
    const { currency } = this.#tell(statement)
    const way = ['Amt', 'AmtDtls/TxAmt/Amt'].find((path) => transaction.first(`${path}@Ccy`) === currency)
    if (way === undefined)
      this.#reject(
        statementErrors.statement_unbalanced,
        `a transaction of a batch has no amount in ${currency} of its own.`,
      )
    return this.#amount(transaction.first(way ?? ''))
  }

  #closeStatement(statement: OpenStatement): void {
    const { currency } = this.#tell(statement)
    this.#pop()
    this.#statement = undefined
    const find = (...types: string[]) =>
      types.flatMap((type) => statement.balances.filter((balance) => balance.type === type)).at(0)
    const [opening, closing] = [find('OPBD', 'PRCD'), find('CLBD')]
    if (!opening || !closing) {
      this.#reject(
        statementErrors.statement_unbalanced,
        'the statement lacks its opening (OPBD) or closing (CLBD) balance.',
      )
      return
    }
    if (opening.currency !== currency || closing.currency !== currency)
      this.#reject(
        statementErrors.statement_currency_mismatch,
        `the account is in ${currency}, a balance of it is not.`,
      )
    if (opening.amount + statement.sum !== closing.amount)
      this.#reject(
        statementErrors.statement_unbalanced,
        'the opening balance and the entries do not add up to the closing balance.',
      )
    this.#parts.push({ kind: 'closed', opening, closing })
  }

  #requireCurrency(statement: OpenStatement, scope: ElementScope): void {
    const { currency } = this.#tell(statement)
    if (scope.first('Amt@Ccy') !== currency)
      this.#reject(statementErrors.statement_currency_mismatch, `the account is in ${currency}, an entry of it is not.`)
  }

  #isDebit(scope: EntryFields): boolean {
    const direction = scope.first('CdtDbtInd')
    if (direction !== 'CRDT' && direction !== 'DBIT')
      this.#reject(
        statementErrors.statement_format_unsupported,
        'an entry does not say whether it is a credit or a debit (CdtDbtInd).',
      )
    return direction === 'DBIT'
  }

  #amount(text: string | undefined): bigint {
    const amount = inScale(text ?? '')
    if (amount === undefined)
      this.#reject(statementErrors.statement_format_unsupported, 'there is an amount that is no amount.')
    return amount ?? 0n
  }

  #push(): ElementScope {
    this.#scopes.at(-1)?.interrupt()
    const scope = new ElementScope()
    this.#scopes.push(scope)
    return scope
  }

  #pop(): ElementScope {
    return this.#scopes.pop() ?? new ElementScope()
  }

  #reject(error: DeclaredError, problem: string): void {
    throw fileError(error, this.reader.line(), problem)
  }
}

const balancePath = 'Document/BkToCstmrStmt/Stmt/Bal'
const entryPath = 'Document/BkToCstmrStmt/Stmt/Ntry'
const transactionPath = `${entryPath}/NtryDtls/TxDtls`
const balancesMax = 50

function isBooked(entry: ElementScope): boolean {
  return (entry.first('Sts') ?? entry.first('Sts/Cd')) === 'BOOK'
}

import type { DeclaredError } from '../../platform/api/errors/declare-errors.ts'
import type { ApiError } from '../../platform/api/errors/errors.ts'
import { ElementReader, elementLengthMax } from './read-camt053-element.ts'
import { type Camt053File, Camt053Statement } from './read-camt053-statement.ts'
import { type XmlLimits, type XmlReader, xmlLimits, xmlReader } from './read-xml.ts'
import { statementErrors } from './statement.errors.ts'
import { statementFileError } from './statement-file-error.ts'
import type { StatementFormat } from './statement-format.ts'
import type { StatementPart } from './statement-parts.ts'

export interface Camt053Limits extends XmlLimits {
  readonly statementsMax: number
  readonly entriesMax: number
}

// A file of 256 MiB cannot contain many more entries, and a large account has fewer in a year.
export const camt053Limits: Camt053Limits = { ...xmlLimits, statementsMax: 1_000, entriesMax: 1_000_000 }

/** ISO 20022: the first element after declaration and comments is in the namespace of a camt.053 version. */
const beginning = /^(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<[^<>]*urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d/

export const camt053Format: StatementFormat = {
  name: 'camt.053 (version 001.02 or newer, UTF-8)',
  mediaTypes: ['application/xml', 'text/xml'],
  fileEnding: 'xml',
  beginning,
  read: readCamt053,
}

/**
 * Parses a bank statement in camt.053, version 001.02 or newer, as a stream. Yields the parts that each piece of the
 * file completes. Throws if the file is not valid or a statement's entries and balances do not add up.
 */
export async function* readCamt053(
  bytes: AsyncIterable<Uint8Array>,
  limits: Camt053Limits = camt053Limits,
): AsyncGenerator<readonly StatementPart[]> {
  const parser = new Camt053Parser(limits)
  for await (const piece of bytes) {
    parser.write(piece)
    const parts = parser.takeParts()
    if (parts.length > 0) yield parts
  }
  parser.end()
  const parts = parser.takeParts()
  if (parts.length > 0) yield parts
}

const statementPath = 'Document/BkToCstmrStmt/Stmt'
const balancePath = `${statementPath}/Bal`
const ntryPath = `${statementPath}/Ntry`
const transactionPath = `${ntryPath}/NtryDtls/TxDtls`

class Camt053Parser implements Camt053File {
  readonly #xml: XmlReader
  readonly #limits: Camt053Limits
  readonly #path: string[] = []
  /** The open elements, one each for statement, balance, Ntry and transaction. The innermost collects texts. */
  readonly #elements: ElementReader[] = []
  #parts: StatementPart[] = []
  #namespace = ''
  #statementCount = 0
  #entryCount = 0
  #statement: Camt053Statement | undefined

  constructor(limits: Camt053Limits) {
    this.#limits = limits
    this.#xml = xmlReader(
      {
        open: ({ name, uri, attribute }) => this.#open(name, uri, attribute('Ccy')),
        text: (text) => this.#requireWithinLimit(this.#elements.at(-1)?.text(text)),
        close: () => this.#close(),
      },
      limits,
    )
  }

  write(bytes: Uint8Array): void {
    this.#xml.write(bytes)
  }

  end(): void {
    this.#xml.end()
    if (this.#statementCount === 0)
      throw this.error(statementErrors.statement_format_unsupported, 'the file contains no statement (Stmt).')
  }

  takeParts(): StatementPart[] {
    const parts = this.#parts
    this.#parts = []
    return parts
  }

  emit(part: StatementPart): void {
    this.#parts.push(part)
  }

  countEntry(): void {
    this.#entryCount += 1
    if (this.#entryCount > this.#limits.entriesMax)
      throw this.error(
        statementErrors.statement_unreadable,
        `the file has more than ${this.#limits.entriesMax} entries.`,
      )
  }

  line(): number {
    return this.#xml.line()
  }

  error(error: DeclaredError, problem: string): ApiError {
    return statementFileError(error, this.line(), problem)
  }

  #open(name: string, uri: string, currency: string | undefined): void {
    if (this.#path.length === 0) this.#openDocument(name, uri)
    // Skips elements of other namespaces, which banks add as extensions.
    this.#path.push(uri === this.#namespace ? name : '?')
    const path = this.#path.join('/')
    if (path === statementPath) this.#openStatement()
    else if (this.#statement && path === ntryPath) this.#statement.openNtry(this.#pushElement())
    else if (this.#statement && (path === balancePath || path === transactionPath)) this.#pushElement()
    else this.#elements.at(-1)?.open(this.#path.at(-1) ?? '', currency)
  }

  #close(): void {
    const path = this.#path.join('/')
    this.#path.pop()
    const statement = this.#statement
    if (!statement) return
    if (path === transactionPath) statement.closeTransaction(this.#popElement())
    else if (path === balancePath) statement.closeBalance(this.#popElement())
    else if (path === ntryPath) {
      this.#popElement()
      statement.closeNtry()
    } else if (path === statementPath) {
      this.#popElement()
      this.#statement = undefined
      statement.close()
    } else this.#requireWithinLimit(this.#elements.at(-1)?.close())
  }

  #openDocument(name: string, uri: string): void {
    const [, version] = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(\d\d)$/.exec(uri) ?? []
    if (name !== 'Document' || version === undefined || Number(version) < 2) {
      const [, otherMessage] = /:(camt\.05[0-9]|pain\.00[0-9]|pacs\.00[0-9])\.001\.\d\d$/.exec(uri) ?? []
      const message = version === undefined ? otherMessage : `camt.053.001.${version}`
      throw this.error(
        statementErrors.statement_format_unsupported,
        message ? `the file is ${message}, which is not supported.` : 'the file is not a bank statement.',
      )
    }
    this.#namespace = uri
  }

  #openStatement(): void {
    this.#statementCount += 1
    if (this.#statementCount > this.#limits.statementsMax)
      throw this.error(
        statementErrors.statement_unreadable,
        `the file has more than ${this.#limits.statementsMax} statements.`,
      )
    this.#statement = new Camt053Statement(this, this.#pushElement())
  }

  #requireWithinLimit(isWithinLimit: boolean | undefined): void {
    if (isWithinLimit === false)
      throw this.error(statementErrors.statement_unreadable, `an entry has more than ${elementLengthMax} characters.`)
  }

  #pushElement(): ElementReader {
    this.#elements.at(-1)?.discardText()
    const element = new ElementReader()
    this.#elements.push(element)
    return element
  }

  #popElement(): ElementReader {
    return this.#elements.pop() ?? new ElementReader()
  }
}

import { pageOfEntries } from '../../../src/money/statements/entry.sql.ts'
import { matchStatements } from '../../../src/money/statements/match-statements.job.ts'
import { importStatement } from '../../../src/money/statements/operator/import-statement.ts'
import { statementUpload } from '../../../src/money/statements/statement-upload.ts'
import { spooled } from '../../../src/platform/api/declare/spool.ts'
import { DirectOperations } from '../callers/operations.ts'
import { newOffering } from '../data/bodies.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** One transaction, or a batch of them. */
export interface CamtEntry {
  amount: string
  isDebit?: boolean
  isReversal?: boolean
  status?: string
  bookedOn?: string
  entryReference?: string
  /** The bank's reference of the entry; null if the bank assigns none. Default: a new one. */
  bankReference?: string | null
  /** The bank's reference of the transaction. */
  transactionReference?: string
  endToEndId?: string
  creditorReference?: string
  text?: string | string[]
  payerName?: string
  payerIban?: string
  returnCode?: string
  returnText?: string
  /** The transactions of a batch, each with its own amount. */
  batch?: CamtEntry[]
  currency?: string
}

export interface CamtStatement {
  account?: string
  currency?: string
  id?: string
  sequence?: string
  opening?: string
  /** Default: the opening balance plus the entries. */
  closing?: string
  openingType?: 'OPBD' | 'PRCD'
  /** Day of both balances. */
  day?: string
  /** Entries, iterated twice: for the closing balance, and for the file. */
  entries: Iterable<CamtEntry>
}

export interface CamtOptions extends Partial<CamtStatement> {
  version?: string
  /** The namespace prefix of the elements. */
  prefix?: string
  statements?: CamtStatement[]
  declaration?: string
}

/** Returns a camt.053 file. Its default account is the collection account of the test offerings. */
export function camt053(options: CamtOptions): string {
  return [...camt053Pieces(options)].join('')
}

/** Yields the file in pieces, for files too large for memory. */
export function* camt053Pieces({
  version = '08',
  prefix = '',
  statements,
  declaration = '<?xml version="1.0" encoding="UTF-8"?>',
  ...only
}: CamtOptions): Generator<string> {
  const named = (xml: string) => (prefix === '' ? xml : xml.replaceAll(/<(\/?)(?=\w)/g, `<$1${prefix}:`))
  const xmlns = `xmlns${prefix === '' ? '' : `:${prefix}`}`
  const uri = `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`
  yield `${declaration}\n${named('<Document')} ${xmlns}="${uri}">${named('<BkToCstmrStmt>')}`
  yield named('<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-07-02T20:00:00Z</CreDtTm></GrpHdr>\n')
  for (const statement of statements ?? [{ entries: [], ...only }])
    for (const piece of statementPieces(statement, version)) yield named(piece)
  yield named('</BkToCstmrStmt></Document>\n')
}

function* statementPieces(statement: CamtStatement, version: string): Generator<string> {
  const { account = newOffering.collection_account.iban, currency = 'EUR', opening = '1000.00', entries } = statement
  const { day = '2026-07-02' } = statement
  let sum = cents(opening)
  for (const { amount, isDebit, status = 'BOOK' } of entries)
    if (status === 'BOOK') sum += isDebit ? -cents(amount) : cents(amount)
  const closing = statement.closing ?? decimal(sum)
  yield `<Stmt><Id>${statement.id ?? 'S1'}</Id><ElctrncSeqNb>${statement.sequence ?? '1'}</ElctrncSeqNb>
<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance(statement.openingType ?? 'OPBD', opening, currency, day)}${balance('CLBD', closing, currency, day)}`
  for (const entry of entries) yield entryXml(entry, currency, version)
  yield '</Stmt>\n'
}

function balance(type: string, amount: string, currency: string, day: string): string {
  const indicator = amount.startsWith('-') ? 'DBIT' : 'CRDT'
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt>\
<CdtDbtInd>${indicator}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`
}

function entryXml(entry: CamtEntry, currency: string, version: string): string {
  const { amount, isDebit = false, isReversal, status = 'BOOK', bookedOn = '2026-07-02', batch } = entry
  const reference = entry.bankReference === undefined ? crypto.randomUUID() : entry.bankReference
  const details = (batch ?? [entry]).map((one) => transactionXml(one, currency, batch !== undefined)).join('')
  return `<Ntry>${element('NtryRef', entry.entryReference)}\
<Amt Ccy="${entry.currency ?? currency}">${amount}</Amt><CdtDbtInd>${isDebit ? 'DBIT' : 'CRDT'}</CdtDbtInd>\
${isReversal === undefined ? '' : `<RvslInd>${isReversal}</RvslInd>`}\
<Sts>${Number(version) >= 4 ? `<Cd>${status}</Cd>` : status}</Sts>\
<BookgDt><Dt>${bookedOn}</Dt></BookgDt>${element('AcctSvcrRef', reference ?? undefined)}\
<NtryDtls>${details}</NtryDtls></Ntry>\n`
}

function transactionXml(one: CamtEntry, currency: string, isPart: boolean): string {
  const lines = one.text === undefined ? [] : [one.text].flat()
  const structured = one.creditorReference
    ? `<Strd><CdtrRefInf><Ref>${escaped(one.creditorReference)}</Ref></CdtrRefInf></Strd>`
    : ''
  const isReturn = one.returnCode !== undefined || one.returnText !== undefined
  return `<TxDtls><Refs>${element('AcctSvcrRef', one.transactionReference)}\
<EndToEndId>${escaped(one.endToEndId ?? 'NOTPROVIDED')}</EndToEndId></Refs>\
${isPart ? `<Amt Ccy="${currency}">${one.amount}</Amt>` : ''}\
<RltdPties><Dbtr>${element('Nm', one.payerName)}</Dbtr>\
<DbtrAcct><Id>${element('IBAN', one.payerIban)}</Id></DbtrAcct></RltdPties>\
<RmtInf>${lines.map((line) => element('Ustrd', line)).join('')}${structured}</RmtInf>\
${isReturn ? `<RtrInf><Rsn>${element('Cd', one.returnCode)}</Rsn>${element('AddtlInf', one.returnText)}</RtrInf>` : ''}\
</TxDtls>`
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function cents(amount: string): bigint {
  const isNegative = amount.startsWith('-')
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(2, '0'))
  return isNegative ? -value : value
}

function decimal(value: bigint): string {
  const text = String(value < 0n ? -value : value).padStart(3, '0')
  return `${value < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}

/** Imports a file without HTTP. Its entries stay pending until a worker matches them. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read response bodies without types
export function importDirectly(installation: TestInstallation, tenantId: string, xml: string): Promise<any> {
  async function* bytes() {
    yield Buffer.from(xml)
  }
  return spooled(bytes(), { ...statementUpload, tenantId }, (file) =>
    new DirectOperations(installation, tenantId).run(importStatement, { file }),
  )
}

/** Imports and matches an entry that needs attention: the bank reversed a credit. */
export async function reversedEntry(
  installation: TestInstallation,
  tenantId: string,
): Promise<{ statementId: string; entryId: string }> {
  const xml = camt053({ entries: [{ amount: '1.00', isDebit: true, isReversal: true }] })
  const [{ id: statementId }] = (await importDirectly(installation, tenantId, xml)).statements
  const direct = new DirectOperations(installation, tenantId)
  await matchStatements.run({ tenant_id: tenantId }, direct.jobContext)
  const page = { direction: 'asc', limit: 10, sort: 'id', after: undefined } as const
  const {
    rows: [entry],
  } = await direct.write((tx) => pageOfEntries(tx, { tenantId, statementId }, { state: ['needs_attention'] }, page))
  if (!entry) throw new Error('the reversal does not need attention')
  return { statementId, entryId: entry.id }
}

/** Imports a statement that waits for booking, as if a person had imported it. */
export async function waitingStatement(
  installation: TestInstallation,
  tenantId: string,
): Promise<{ statementId: string }> {
  const xml = camt053({ entries: [{ amount: '1.00' }] })
  const [{ id: statementId }] = (await importDirectly(installation, tenantId, xml)).statements
  await installation.rows('update cell.bank_statement set waits_for_booking = true where id = $1', [statementId])
  return { statementId }
}

/** Imports two statements with a missing one between them. Returns the second. */
export async function statementAfterGap(
  installation: TestInstallation,
  tenantId: string,
): Promise<{ statementId: string }> {
  const day = (sequence: string, opening: string) => ({
    sequence,
    opening,
    entries: [{ amount: '1.00', isDebit: true }],
  })
  const xml = camt053({ statements: [day('8', '500.00'), day('9', '400.00')] })
  const [, { id: statementId, continuity }] = (await importDirectly(installation, tenantId, xml)).statements
  if (continuity !== 'gap') throw new Error('the statement has no gap before it')
  return { statementId }
}

import { exampleIban } from './example-offerings.ts'

export interface ExampleEntry {
  readonly amountMinor: bigint
  readonly payer: string
  readonly text: string
  readonly isDebit?: boolean
}

const openingMinor = 1_250_000n

/** Returns a camt.053 file of one day, as a bank delivers it. */
export function exampleStatement(day: string, entries: readonly ExampleEntry[]): string {
  const closing = entries.reduce(
    (sum, { amountMinor, isDebit }) => (isDebit ? sum - amountMinor : sum + amountMinor),
    openingMinor,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>EXAMPLE-1</MsgId><CreDtTm>${day}T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>EXAMPLE-1</Id><ElctrncSeqNb>1</ElctrncSeqNb><Acct><Id><IBAN>${exampleIban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${balance('OPBD', openingMinor, day)}
${balance('CLBD', closing, day)}
${entries.map((entry, index) => entryXml(entry, day, index)).join('\n')}
</Stmt></BkToCstmrStmt></Document>
`
}

function balance(type: string, minor: bigint, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amount(minor)}<CdtDbtInd>CRDT</CdtDbtInd>\
<Dt><Dt>${day}</Dt></Dt></Bal>`
}

function entryXml({ amountMinor, payer, text, isDebit = false }: ExampleEntry, day: string, index: number): string {
  const [party, account] = isDebit ? ['Cdtr', 'CdtrAcct'] : ['Dbtr', 'DbtrAcct']
  return `<Ntry>${amount(amountMinor)}<CdtDbtInd>${isDebit ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
<BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>EXAMPLE-${day}-${index}</AcctSvcrRef><NtryDtls><TxDtls>\
<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties><${party}><Nm>${payer}</Nm></${party}>\
<${account}><Id><IBAN>DE02120300000000202051</IBAN></Id></${account}></RltdPties>\
<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
}

function amount(minor: bigint): string {
  return `<Amt Ccy="EUR">${minor / 100n}.${String(minor % 100n).padStart(2, '0')}</Amt>`
}

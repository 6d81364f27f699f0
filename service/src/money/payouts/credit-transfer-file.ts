import { Money } from '../../platform/base/money.ts'
import type { BankAccount, CreditTransfer } from './transfer.ts'

export interface CreditTransfers {
  /** The UUID of the payout or of the file of a distribution. */
  readonly messageId: string
  readonly createdAt: Date
  /** A calendar date. */
  readonly executionDate: string
  readonly transfers: readonly CreditTransfer[]
}

/**
 * Writes the file that orders credit transfers at a bank: ISO 20022 pain.001.001.09, with one block for each pair of
 * debtor account and currency. Euros are requested as SEPA transfers; for other currencies the bank chooses the scheme.
 */
export async function creditTransferFile(credits: CreditTransfers): Promise<string> {
  // Loaded with the first file: every API process imports this module, and the library defines a whole DOM on loading.
  const { default: xml } = await import('xmlbuilder2')
  return `${xml.create({ version: '1.0', encoding: 'UTF-8' }, documentOf(credits)).end({ prettyPrint: true })}\n`
}

function documentOf({ messageId, createdAt, executionDate, transfers }: CreditTransfers): object {
  const [first] = transfers
  if (!first) throw new Error('a credit transfer file needs at least one transfer')
  const blocks = Object.values(
    Object.groupBy(transfers, ({ debtor, amount }) => `${debtor.iban} ${amount.currency}`),
  ) as CreditTransfer[][]
  return {
    Document: {
      '@xmlns': 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
      CstmrCdtTrfInitn: {
        GrpHdr: {
          MsgId: withoutDashes(messageId),
          CreDtTm: `${createdAt.toISOString().slice(0, 19)}Z`,
          ...totals(transfers),
          InitgPty: { Nm: first.debtor.name },
        },
        PmtInf: blocks.map((block, index) =>
          // PmtInfId has at most 35 characters: the end of the id, which is its random part, and the block's number.
          paymentBlock(`${withoutDashes(messageId).slice(-28)}-${index + 1}`, { messageId, executionDate, block }),
        ),
      },
    },
  }
}

function paymentBlock(
  id: string,
  { messageId, executionDate, block }: { messageId: string; executionDate: string; block: readonly CreditTransfer[] },
): object {
  const [first] = block
  if (!first) throw new Error('a payment block needs at least one transfer')
  const { debtor } = first
  const { currency } = first.amount
  const isSepa = currency === 'EUR'
  return {
    PmtInfId: id,
    PmtMtd: 'TRF',
    ...totals(block),
    ...(isSepa ? { PmtTpInf: { SvcLvl: { Cd: 'SEPA' } } } : {}),
    ReqdExctnDt: { Dt: executionDate },
    Dbtr: { Nm: debtor.name },
    DbtrAcct: { Id: { IBAN: debtor.iban }, Ccy: currency },
    // The debtor's bank is mandatory; NOTPROVIDED means that the bank derives it from the IBAN.
    DbtrAgt: { FinInstnId: debtor.bic ? { BICFI: debtor.bic } : { Othr: { Id: 'NOTPROVIDED' } } },
    ...(isSepa ? { ChrgBr: 'SLEV' } : {}),
    CdtTrfTxInf: block.map((transfer) => creditTransfer(messageId, transfer)),
  }
}

function creditTransfer(messageId: string, { id, amount, creditor, text }: CreditTransfer): object {
  return {
    PmtId: {
      // New for each file. The end-to-end id stays the same for a refund, so that a statement can be matched to it.
      InstrId: `${withoutDashes(messageId).slice(-16)}-${withoutDashes(id).slice(-16)}`,
      EndToEndId: endToEndId(id),
    },
    Amt: { InstdAmt: { '@Ccy': amount.currency, '#': amount.toString() } },
    ...creditorAgent(creditor),
    Cdtr: { Nm: creditor.name },
    CdtrAcct: { Id: { IBAN: creditor.iban } },
    RmtInf: { Ustrd: text },
  }
}

/** Overwrites the creditors of these transfers in a file, for an investor whose data is erased. */
export function withoutCreditors(file: string, transferIds: readonly string[]): string {
  const ids = transferIds.map((id) => `<EndToEndId>${endToEndId(id)}</EndToEndId>`)
  const transfer = '<CdtTrfTxInf>'
  const [header = '', ...blocks] = file.split(transfer)
  const erased = blocks.map((block) => {
    if (!ids.some((id) => block.includes(id))) return block
    return block.replace(/<Nm>[^<]*<\/Nm>/, '<Nm>erased</Nm>').replace(/<IBAN>[^<]*<\/IBAN>/, '<IBAN>erased</IBAN>')
  })
  return [header, ...erased].join(transfer)
}

/** Omitted if the BIC is unknown: SEPA allows no placeholder for the creditor's bank. */
function creditorAgent({ bic }: BankAccount): object {
  return bic ? { CdtrAgt: { FinInstnId: { BICFI: bic } } } : {}
}

/**
 * Returns the end-to-end id of a refund's or an entitlement's transfer, which statements show: 32 hexadecimal digits.
 */
export function endToEndId(id: string): string {
  return withoutDashes(id)
}

function withoutDashes(uuid: string): string {
  return uuid.replaceAll('-', '')
}

/** CtrlSum is only a checksum: ISO 20022 adds up the amounts regardless of their currencies. */
function totals(transfers: readonly CreditTransfer[]): { NbOfTxs: string; CtrlSum: string } {
  const places = Math.max(...transfers.map(({ amount }) => amount.places))
  const sum = transfers.reduce((total, { amount }) => total + amount.partsAt(places), 0n)
  return { NbOfTxs: String(transfers.length), CtrlSum: Money.ofParts(sum, places, 'XXX').toString() }
}

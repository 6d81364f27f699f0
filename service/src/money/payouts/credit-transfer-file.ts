import { create } from 'xmlbuilder2'
import type { BankAccount, CreditTransfer } from './transfer.ts'

export interface CreditTransfers {
  /** A UUID. */
  readonly payoutId: string
  readonly createdAt: Date
  /** A calendar date. */
  readonly executionDate: string
  readonly transfers: readonly CreditTransfer[]
}

/**
 * The file that tells a bank to transfer money: ISO 20022 pain.001.001.09, with one block for each account that pays in
 * each currency. Euros are asked for as SEPA transfers; for other currencies the bank decides how they go.
 */
export function creditTransferFile({ payoutId, createdAt, executionDate, transfers }: CreditTransfers): string {
  const [first] = transfers
  if (!first) throw new Error('a file needs a transfer')
  const blocks = Object.values(
    Object.groupBy(transfers, ({ debtor, currency }) => `${debtor.iban} ${currency}`),
  ) as CreditTransfer[][]
  const document = {
    Document: {
      '@xmlns': 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
      CstmrCdtTrfInitn: {
        GrpHdr: {
          MsgId: hexOf(payoutId),
          CreDtTm: `${createdAt.toISOString().slice(0, 19)}Z`,
          ...totals(transfers),
          InitgPty: { Nm: first.debtor.name },
        },
        PmtInf: blocks.map((block, index) =>
          // 35 characters hold the end of the id, which is its random part, and the number of the block.
          paymentBlock(`${hexOf(payoutId).slice(-28)}-${index + 1}`, { payoutId, executionDate, block }),
        ),
      },
    },
  }
  return `${create({ version: '1.0', encoding: 'UTF-8' }, document).end({ prettyPrint: true })}\n`
}

function paymentBlock(
  id: string,
  { payoutId, executionDate, block }: { payoutId: string; executionDate: string; block: readonly CreditTransfer[] },
): object {
  const [first] = block
  if (!first) throw new Error('a block needs a transfer')
  const { debtor, currency } = first
  const isSepa = currency === 'EUR'
  return {
    PmtInfId: id,
    PmtMtd: 'TRF',
    ...totals(block),
    ...(isSepa ? { PmtTpInf: { SvcLvl: { Cd: 'SEPA' } } } : {}),
    ReqdExctnDt: { Dt: executionDate },
    Dbtr: { Nm: debtor.name },
    DbtrAcct: { Id: { IBAN: debtor.iban }, Ccy: currency },
    // The bank that pays must be named, or be said to follow from the IBAN.
    DbtrAgt: { FinInstnId: debtor.bic ? { BICFI: debtor.bic } : { Othr: { Id: 'NOTPROVIDED' } } },
    ...(isSepa ? { ChrgBr: 'SLEV' } : {}),
    CdtTrfTxInf: block.map((transfer) => creditTransfer(payoutId, transfer)),
  }
}

function creditTransfer(payoutId: string, { refundId, amount, currency, creditor, text }: CreditTransfer): object {
  return {
    PmtId: {
      // New for each file, while the other stays with the refund: by it a statement finds the refund again.
      InstrId: `${hexOf(payoutId).slice(-16)}-${hexOf(refundId).slice(-16)}`,
      EndToEndId: endToEndId(refundId),
    },
    Amt: { InstdAmt: { '@Ccy': currency, '#': amount } },
    ...agentOf(creditor),
    Cdtr: { Nm: creditor.name },
    CdtrAcct: { Id: { IBAN: creditor.iban } },
    RmtInf: { Ustrd: text },
  }
}

/** A creditor's bank that is not known is left out: SEPA wants no placeholder there. */
function agentOf({ bic }: BankAccount): object {
  return bic ? { CdtrAgt: { FinInstnId: { BICFI: bic } } } : {}
}

/** What a transfer is known by from end to end, and what a statement shows of it: 32 hexadecimal digits. */
export function endToEndId(refundId: string): string {
  return hexOf(refundId)
}

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '')
}

/** The sum says only that nothing is missing: the format adds the numbers up, whatever their currencies. */
function totals(transfers: readonly CreditTransfer[]): { NbOfTxs: string; CtrlSum: string } {
  const digits = Math.max(...transfers.map(({ amount }) => amount.split('.')[1]?.length ?? 0))
  const sum = transfers.reduce((total, { amount }) => total + scaled(amount, digits), 0n)
  const text = String(sum).padStart(digits + 1, '0')
  return {
    NbOfTxs: String(transfers.length),
    CtrlSum: digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`,
  }
}

function scaled(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

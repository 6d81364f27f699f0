import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'

const folder = fileURLToPath(new URL('../../schemas/', import.meta.url))
const namespaces = { p: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' }

/** Our schema, and ISO's own if a developer has copied it next to ours. */
const schemas = ['refund-file.xsd', 'pain.001.001.09.xsd']
  .map((name) => folder + name)
  .filter((path) => existsSync(path))
  .map((path) => XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(path))))

/** Throws libxml2's error if the file is not valid. */
export function assertValidRefundFile(xml: string): void {
  const document = XmlDocument.fromString(xml)
  try {
    for (const schema of schemas) schema.validate(document)
  } finally {
    document.dispose()
  }
}

export interface ReadTransfer {
  endToEndId: string
  instructionId: string
  amount: string
  currency: string
  name: string
  iban: string
  text: string
}

export interface ReadBlock {
  debtor: string
  count: string
  sum: string
  service: string | undefined
  date: string
  transfers: ReadTransfer[]
}

/** Reads the file as a bank does, with a parser independent of the code under test. */
export function readRefundFile(xml: string): { count: string; sum: string; blocks: ReadBlock[] } {
  const document = XmlDocument.fromString(xml)
  type Node = NonNullable<ReturnType<typeof document.root.get>>
  const found = (node: Node, path: string) =>
    (node as typeof document.root).get(path.replaceAll(/(\w+)(?=\/|$)/g, 'p:$1'), namespaces)?.content
  const all = (node: Node, path: string) =>
    (node as typeof document.root).find(path.replaceAll(/(\w+)(?=\/|$)/g, 'p:$1'), namespaces)
  const text = (node: Node, path: string) => found(node, path) ?? ''
  try {
    const { root } = document
    return {
      count: text(root, 'CstmrCdtTrfInitn/GrpHdr/NbOfTxs'),
      sum: text(root, 'CstmrCdtTrfInitn/GrpHdr/CtrlSum'),
      blocks: all(root, 'CstmrCdtTrfInitn/PmtInf').map((block) => ({
        debtor: text(block, 'DbtrAcct/Id/IBAN'),
        count: text(block, 'NbOfTxs'),
        sum: text(block, 'CtrlSum'),
        service: found(block, 'PmtTpInf/SvcLvl/Cd'),
        date: text(block, 'ReqdExctnDt/Dt'),
        transfers: all(block, 'CdtTrfTxInf').map((one) => ({
          endToEndId: text(one, 'PmtId/EndToEndId'),
          instructionId: text(one, 'PmtId/InstrId'),
          amount: text(one, 'Amt/InstdAmt'),
          currency: (one as typeof root).get('p:Amt/p:InstdAmt/@Ccy', namespaces)?.content ?? '',
          name: text(one, 'Cdtr/Nm'),
          iban: text(one, 'CdtrAcct/Id/IBAN'),
          text: text(one, 'RmtInf/Ustrd'),
        })),
      })),
    }
  } finally {
    document.dispose()
  }
}

import { createHash } from 'node:crypto'
import { pdfOf } from '../../platform/base/pdf.ts'
import type { HolderRow } from '../../tokens/register/holder.sql.ts'
import { csvRows } from './extract-text.ts'
import { fileEncodings } from './file-encodings.ts'
import { type ExtractScope, nominalOf, type RegisterFacts } from './register-facts.ts'

/** Renders the extract as PDF. It hashes the lines after the first in the CSV file of the same extract. */
export async function extractPdf(
  rows: readonly HolderRow[],
  facts: RegisterFacts,
  scope: ExtractScope,
): Promise<string> {
  const rowsHash = createHash('sha256')
    .update(csvRows(rows, facts, scope))
    .digest('hex')
  const pdf = await pdfOf({
    title: `Register extract: ${facts.offering.name} (${facts.offering.symbol})`,
    facts: factsOf(facts, scope, { rowsHash, rowCount: rows.length }),
    note:
      'A question mark in a name can stand for a character that no font of this file has. The JSON and CSV files of ' +
      'the same extract have the name itself; so has the text that a reader copies from here.',
    columns: [
      { title: 'Address', width: 180 },
      { title: scope.withNames ? 'Holder' : 'Account', width: 160 },
      { title: 'Units', width: 100, isNumber: true },
      { title: 'Nominal', width: 76, isNumber: true },
      { title: 'Percent', width: 44, isNumber: true },
      { title: 'Frozen', width: 76, isNumber: true },
      { title: 'Since', width: 82 },
    ],
    rows: rows.map((row) => [
      row.address,
      (scope.withNames ? row.name : row.accountId) ?? 'not a known investor',
      row.units,
      nominalOf(row.units, facts.offering) ?? '',
      row.percent ?? '',
      row.frozenUnits,
      row.since?.toISOString().slice(0, 19).concat('Z') ?? '',
    ]),
    footer: `Block ${facts.block}  rows ${rowsHash}`,
    createdAt: scope.createdAt,
  })
  return pdf.toString(fileEncodings.pdf)
}

const unknown = 'not stated'

function factsOf(
  { offering, restrictions, ...facts }: RegisterFacts,
  scope: ExtractScope,
  { rowsHash, rowCount }: { rowsHash: string; rowCount: number },
): [label: string, value: string][] {
  const { nominal_amount: amount, nominal_currency: currency, decimals } = offering
  const nominal = amount === null ? unknown : `${amount} ${currency} for a token of 10^${decimals} units`
  return [
    ['Extract', `${scope.id}, made ${scope.createdAt.toISOString()}`],
    ['Of', scope.accountId === null ? 'all holders' : `the holder with account ${scope.accountId}`],
    ['ISIN', offering.isin ?? unknown],
    ['Issuer', `${offering.issuer_name ?? unknown}, LEI ${offering.issuer_lei ?? unknown}`],
    ['Nominal value', nominal],
    ['Token', `${offering.token_address ?? unknown} on ${offering.blockchain}`],
    ['As of', scope.at ?? facts.blockTime ?? 'before the first block'],
    ['Block', `${facts.block} ${facts.blockHash ?? ''}, the last one until then that changed the register`],
    ['Total units', String(facts.totalUnits)],
    ['Rows', `${rowCount}, SHA-256 ${rowsHash}`],
    ['Lock-up', restrictions.lock_up_until === null ? 'none' : `until ${restrictions.lock_up_until}`],
    ['Transfers', transferRules(restrictions)],
  ]
}

function transferRules(rules: RegisterFacts['restrictions']): string {
  const found = [
    ...(rules.allowed_countries ? [`only to ${rules.allowed_countries.join(', ')}`] : []),
    ...(rules.refused_countries.length > 0 ? [`not to ${rules.refused_countries.join(', ')}`] : []),
    ...(rules.account_types ? [`only to ${rules.account_types.join(', ')}`] : []),
    ...(rules.is_invited_only ? ['only to invited investors'] : []),
  ]
  return `only to registered wallets of approved investors${found.map((rule) => `; ${rule}`).join('')}`
}

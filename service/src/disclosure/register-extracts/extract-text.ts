import type { HolderRow } from '../../tokens/register/holder.sql.ts'
import { type Cell, csvLines } from '../csv.ts'
import { type ExtractScope, nominalOf, type RegisterFacts } from './register-facts.ts'

/** Version of the JSON format. A change that readers must know of gets a new number. */
const shape = 'register-extract/1'

/** Returns the start of the JSON file, through the opening bracket of the rows. One row follows on each line. */
export function jsonStart(facts: RegisterFacts, scope: ExtractScope): string {
  const head = {
    shape,
    id: scope.id,
    created_at: scope.createdAt.toISOString(),
    account_id: scope.accountId,
    offering: facts.offering,
    as_of: { time: scope.at, block: facts.block, block_hash: facts.blockHash, block_time: facts.blockTime },
    total_units: String(facts.totalUnits),
    restrictions: facts.restrictions,
  }
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "holders": [`
}

/** Returns rows of the JSON file. Unless `isFirst`, a comma precedes them. */
export function jsonRows(
  rows: readonly HolderRow[],
  { facts, scope, isFirst }: { facts: RegisterFacts; scope: ExtractScope; isFirst: boolean },
): string {
  return rows
    .map((row, index) => `${isFirst && index === 0 ? '' : ','}\n    ${JSON.stringify(jsonRow(row, facts, scope))}`)
    .join('')
}

export function jsonEnd(holderCount: number): string {
  return `\n  ],\n  "holder_count": ${holderCount}\n}\n`
}

function jsonRow(row: HolderRow, { offering }: RegisterFacts, { withNames }: ExtractScope): object {
  return {
    address: row.address,
    wallet_id: row.walletId,
    account_id: row.accountId,
    ...(withNames ? { name: row.name } : {}),
    units: row.units,
    nominal: nominalOf(row.units, offering),
    percent: row.percent,
    frozen_units: row.frozenUnits,
    since: row.since?.toISOString() ?? null,
  }
}

export const csvColumns = [
  'isin',
  'issuer_lei',
  'block',
  'block_hash',
  'address',
  'wallet_id',
  'account_id',
  'units',
  'nominal',
  'nominal_currency',
  'percent',
  'frozen_units',
  'lock_up_until',
  'since',
] as const

export const csvPersonalColumns = ['investor'] as const

function csvCells(row: HolderRow, facts: RegisterFacts, { withNames }: ExtractScope): Cell[] {
  const { offering, restrictions } = facts
  return [
    offering.isin,
    offering.issuer_lei,
    String(facts.block),
    facts.blockHash,
    row.address,
    row.walletId,
    row.accountId,
    row.units,
    nominalOf(row.units, offering),
    offering.nominal_currency,
    row.percent,
    row.frozenUnits,
    restrictions.lock_up_until,
    row.since?.toISOString() ?? null,
    ...(withNames ? [row.name] : []),
  ]
}

export function csvStart({ withNames }: Pick<ExtractScope, 'withNames'>): string {
  return csvLines([[...csvColumns, ...(withNames ? csvPersonalColumns : [])]])
}

export function csvRows(rows: readonly HolderRow[], facts: RegisterFacts, scope: ExtractScope): string {
  return csvLines(rows.map((row) => csvCells(row, facts, scope)))
}

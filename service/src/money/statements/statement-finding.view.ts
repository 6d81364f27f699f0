import type { Static } from 'typebox'
import type { findingKinds, StatementFinding } from './statement.schema.ts'
import type { FindingRow } from './statement-finding.sql.ts'

export function viewFinding(row: FindingRow): Static<typeof StatementFinding> {
  const missing = missingNumbers(row)
  return {
    statement_id: row.id,
    kind: kindOf(row),
    account: row.account,
    currency: row.currency,
    closes_on: row.closesOn,
    sequence: row.sequence,
    previous_statement_id: row.previousId,
    previous_sequence: row.previousSequence,
    missing_from: missing?.from ?? null,
    missing_to: missing?.to ?? null,
    opening_balance: row.openingBalance,
    expected_opening_balance: row.expectedOpeningBalance,
    difference: row.difference,
    gap_resolution: row.gapResolution,
  }
}

/** Classifies a finding. If statements have no numbers, only balances can be compared: one must be missing. */
function kindOf(row: FindingRow): (typeof findingKinds)[number] {
  const step = stepOf(row)
  if (step === undefined || step > 1n) return 'missing'
  return step === 1n ? 'balance_differs' : 'out_of_order'
}

function missingNumbers(row: FindingRow): { from: string; to: string } | undefined {
  const step = stepOf(row)
  if (step === undefined || step <= 1n) return undefined
  const last = BigInt(row.sequenceNumber)
  return { from: String(last - step + 1n), to: String(last - 1n) }
}

/** Returns the difference between the statement's number and its predecessor's, or undefined if one has no number. */
function stepOf({ sequenceNumber, previousSequenceNumber }: FindingRow): bigint | undefined {
  const [own, previous] = [BigInt(sequenceNumber), BigInt(previousSequenceNumber ?? '0')]
  return own === 0n || previous === 0n ? undefined : own - previous
}

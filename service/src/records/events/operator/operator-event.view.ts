import type { Static } from 'typebox'
import type { OperatorEvent } from './operator-event.schema.ts'
import type { OperatorEventRow } from './operator-event.sql.ts'

export function viewOperatorEvent(row: OperatorEventRow): Static<typeof OperatorEvent> {
  const { id, sequence, type, createdAt, data } = row
  return { id, sequence: Number(sequence), type, created_at: createdAt.toISOString(), data }
}

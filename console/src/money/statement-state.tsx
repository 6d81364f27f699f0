import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { State } from '../parts/state.tsx'

/** Shows the most urgent state of a statement. */
export function StatementState({ statement }: { statement: Schemas['Statement'] }) {
  const { t } = useTranslation()
  if (statement.continuity === 'gap' && statement.gap_resolution === null)
    return <State state="failed" label={t('statements.gap')} />
  if (statement.waits_for_booking) return <State state="pending" label={t('statements.waits')} />
  if (statement.needs_attention > 0)
    return <State state="open" label={t('statements.attentionCount', { count: statement.needs_attention })} />
  if (statement.pending > 0) return <State state="sent" label={t('statements.booking')} />
  return <State state="booked" label={t('statements.booked')} />
}

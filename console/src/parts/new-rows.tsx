import { useTranslation } from 'react-i18next'
import type { ListChanges } from '../api/live-rows.ts'

/** Announces rows that a live update has added or removed. Nothing moves until the person asks for it. */
export function NewRows({ changes }: { changes: ListChanges | undefined }) {
  const { t } = useTranslation()
  const { newCount = 0, goneIds = new Set(), show } = changes ?? {}
  if (newCount === 0 && goneIds.size === 0) return null
  const parts = [
    ...(newCount > 0 ? [t('live.new', { count: newCount })] : []),
    ...(goneIds.size > 0 ? [t('live.gone', { count: goneIds.size })] : []),
  ]
  return (
    <div className="new-rows" role="status">
      <button type="button" onClick={show}>
        {parts.join(' · ')}
      </button>
    </div>
  )
}

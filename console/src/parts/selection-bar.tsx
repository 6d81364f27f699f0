import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface SelectionBarProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Bar with the actions for the selected rows of a table. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const { t } = useTranslation()
  return (
    <section className="selection-bar" aria-label={t('parts.selection')}>
      <strong>{t('parts.selected', { count })}</strong>
      {children}
      <Button variant="subtle" color="gray" onClick={onClear}>
        {t('parts.clear')}
      </Button>
    </section>
  )
}

import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface SidePanelProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Details of a row, shown without leaving its list. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={title}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      {children}
    </Drawer>
  )
}

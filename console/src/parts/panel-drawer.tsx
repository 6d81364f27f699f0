import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export interface PanelProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function PanelDrawer({ title, onClose, children }: PanelProps) {
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

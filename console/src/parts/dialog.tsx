import { Modal } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface DialogProps {
  readonly title: string
  readonly size?: 'md' | 'lg'
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A dialog that has the focus as soon as it is seen, so that no key goes to the screen behind it, and returns the focus
 * when it closes. Mantine's own focus moves a moment later, and does not return from a dialog that begins open.
 */
export function Dialog({ title, size = 'md', onClose, children }: DialogProps) {
  const { t } = useTranslation()
  const before = useRef(document.activeElement)
  const takeFocus = (content: HTMLElement | null) => {
    content?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
    return () => {
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
    }
  }
  const ref = useRef(takeFocus)
  return (
    <Modal opened size={size} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('parts.close') }}>
      <div ref={ref.current}>{children}</div>
    </Modal>
  )
}

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
 * A dialog that takes the focus as soon as it is visible, so that no key reaches the screen behind it, and returns the
 * focus when it closes. Mantine moves the focus a moment later, and does not return it from a dialog that starts open.
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

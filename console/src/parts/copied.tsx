import { useClipboard } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

/** An id, address or hash: shortened in the middle, whole on hover, copied on click. */
export function Copied({ text, isWhole = false }: { text: string; isWhole?: boolean }) {
  const { t } = useTranslation()
  const short = isWhole || text.length <= 14 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`
  const { copied, copy } = useClipboard()
  return (
    <button type="button" className="mono sort-button" title={t('parts.copy', { text })} onClick={() => copy(text)}>
      {copied ? t('parts.copied') : short}
    </button>
  )
}

import { useTranslation } from 'react-i18next'
import { Copied } from '../parts/copied.tsx'
import { SidePanel } from '../parts/side-panel.tsx'

/** Shows a secret once. */
export function SecretPanel({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <SidePanel title={t('developers.secret')} onClose={onClose}>
      <p>{t('developers.secretText')}</p>
      <Copied text={secret} isWhole />
    </SidePanel>
  )
}

import { useTranslation } from 'react-i18next'
import { ScreenTabs } from '../parts/screen-tabs.tsx'

/** Tabs for requested transfers and for those without a request. */
export function TransferTabs() {
  const { t } = useTranslation()
  return (
    <ScreenTabs
      label={t('nav.transfers')}
      tabs={[
        { to: '/transfers', text: t('nav.transfers') },
        { to: '/transfers/unrequested', text: t('transfers.unrequested') },
      ]}
    />
  )
}

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Copied } from '../parts/copied.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { Credentials } from './credentials.tsx'
import { Events } from './events.tsx'
import { KycProviders } from './kyc-providers.tsx'
import { PaymentProviders } from './payment-providers.tsx'
import { WebhookEndpoints } from './webhook-endpoints.tsx'

/** Everything that integrators use: credentials, webhook endpoints, payment and KYC providers. */
export function DevelopersScreen() {
  const { t } = useTranslation()
  const [secret, setSecret] = useState<string>()
  return (
    <div className="page">
      <PageTitle title={t('nav.developers')} />
      <Credentials onSecret={setSecret} />
      <WebhookEndpoints onSecret={setSecret} />
      <PaymentProviders onSecret={setSecret} />
      <KycProviders onSecret={setSecret} />
      <Events />
      {secret !== undefined && (
        <SidePanel title={t('developers.secret')} onClose={() => setSecret(undefined)}>
          <p>{t('developers.secretText')}</p>
          <Copied text={secret} isWhole />
        </SidePanel>
      )}
    </div>
  )
}

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../parts/page-title.tsx'
import { Credentials } from './credentials.tsx'
import { Events } from './events.tsx'
import { KycProviders } from './kyc-providers.tsx'
import { PaymentProviders } from './payment-providers.tsx'
import { SecretPanel } from './secret-panel.tsx'
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
      {secret !== undefined && <SecretPanel secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { Facts } from '../parts/facts.tsx'

/** Account that buyers pay to, to be compared with the issuer's papers. */
export function CollectionAccount({ account }: { account: Schemas['CollectionAccount'] }) {
  const { t } = useTranslation()
  return (
    <Facts
      facts={{
        [t('draft.fields.account_holder')]: account.account_holder,
        [t('draft.fields.bank')]: account.bank,
        [t('draft.fields.iban')]: <span className="mono">{account.iban.replaceAll(/(.{4})(?=.)/g, '$1 ')}</span>,
        [t('draft.fields.bic')]: <span className="mono">{account.bic}</span>,
      }}
    />
  )
}

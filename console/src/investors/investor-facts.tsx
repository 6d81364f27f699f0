import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { Facts } from '../parts/facts.tsx'
import { Masked } from '../parts/masked.tsx'
import { Time } from '../parts/time.tsx'

/** Identity of the investor. Bank and tax data stay masked until they are revealed. */
export function InvestorFacts({ account }: { account: Schemas['OperatorAccount'] }) {
  const { t } = useTranslation()
  const { individual, company, bank_account: bank, tax_information: tax } = account
  const reveal = async (pick: (whole: Schemas['Account']) => string | undefined) =>
    pick(await api.post('/accounts/{accountId}/reveal', { path: { accountId: account.id } }))
  const address = individual ?? company
  return (
    <section className="card">
      <Facts
        facts={{
          [t('investors.email')]: account.communication.email,
          [t('investors.type')]: account.type,
          [t('investors.born')]: individual ? `${individual.birth_date}, ${individual.birth_place}` : undefined,
          [t('investors.citizenship')]: individual?.citizenship,
          [t('investors.registration')]: company?.registration_number,
          [t('investors.legalForm')]: company?.legal_form,
          [t('investors.address')]: address
            ? [address.street, `${address.zip} ${address.city}`, address.country].filter(Boolean).join(', ')
            : undefined,
          [t('investors.phone')]: address?.phone,
          [t('investors.bank')]: bank.bank,
          IBAN: <Masked value={bank.iban} reveal={() => reveal((whole) => whole.bank_account.iban)} />,
          [t('investors.tax')]: tax && (
            <Masked
              value={tax.tax_identification_number}
              reveal={() => reveal((whole) => whole.tax_information?.tax_identification_number)}
            />
          ),
          [t('investors.since')]: <Time time={account.created_at} />,
          [t('parts.changed')]: <Time time={account.updated_at} />,
        }}
      />
    </section>
  )
}

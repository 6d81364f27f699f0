import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { Copied } from '../parts/copied.tsx'
import { Diff } from '../parts/diff.tsx'
import { Facts } from '../parts/facts.tsx'
import type { ActionField, Values } from '../parts/field-input.tsx'
import { Money } from '../parts/money.tsx'

type Offering = Schemas['OperatorOffering']
type Details = Schemas['RegisterDetails']

const formats = ['pdf', 'csv', 'json'] as const
const names = ['isin', 'issuer_name', 'issuer_lei', 'nominal_amount', 'nominal_currency', 'extract_format'] as const

/** Details of the security in extracts of the register, and whether holders get an extract after each change. */
export function RegisterDetails({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  const may = useMay()
  const action = useDetailsAction(offering)
  const { register } = offering
  const { nominal_amount: nominal, nominal_currency: currency, extract_format: format } = register
  return (
    <Card title={t('register.details.title')} actions={may('offerings', offering.id) ? [action] : []}>
      <Facts
        facts={{
          [t('register.details.isin')]: register.isin && <Copied text={register.isin} isWhole />,
          [t('register.details.issuer_name')]: register.issuer_name,
          [t('register.details.issuer_lei')]: register.issuer_lei && <Copied text={register.issuer_lei} isWhole />,
          [t('register.details.nominal')]: nominal && currency && <Money amount={nominal} currency={currency} />,
          [t('register.details.extract_format')]: format
            ? t('register.details.afterChange', { format: format.toUpperCase() })
            : t('register.details.noExtracts'),
        }}
      />
    </Card>
  )
}

/** The API replaces all details together, so the dialog contains all of them. */
function useDetailsAction({ id, currency, register }: Offering): Action {
  const { t } = useTranslation()
  const label = (name: (typeof names)[number]) => t(`register.details.${name}`)
  const text = (name: (typeof names)[number], initial: string | null): ActionField => ({
    name,
    label: label(name),
    kind: 'text',
    initial: initial ?? '',
    isOptional: true,
  })
  const named = (details: Details) =>
    Object.fromEntries(names.map((name) => [label(name), details[name]?.toString() ?? '–']))
  return {
    id: 'register-details',
    label: t('register.details.change'),
    isWide: true,
    consequence: t('register.details.changeText'),
    fields: [
      text('isin', register.isin),
      text('issuer_name', register.issuer_name),
      text('issuer_lei', register.issuer_lei),
      text('nominal_amount', register.nominal_amount),
      text('nominal_currency', register.nominal_currency ?? currency),
      {
        name: 'extract_format',
        label: label('extract_format'),
        kind: 'choice',
        hint: t('register.details.extractHint'),
        options: [
          { value: 'none', label: t('register.details.noExtracts') },
          ...formats.map((value) => ({ value, label: value.toUpperCase() })),
        ],
        initial: register.extract_format ?? 'none',
      },
    ],
    preview: (values) => <Diff before={named(register)} after={named(detailsOf(values))} />,
    run: (key, values) =>
      api.post('/offerings/{offeringId}/register-details', { path: { offeringId: id }, key, body: detailsOf(values) }),
    done: t('register.details.changed'),
  }
}

/** Leaves out a currency without an amount, which the API rejects. */
function detailsOf(values: Values): Details {
  const text = (name: (typeof names)[number]) => values[name]?.trim() || null
  const code = (name: 'isin' | 'issuer_lei' | 'nominal_currency') =>
    text(name)?.replaceAll(' ', '').toUpperCase() ?? null
  const amount = text('nominal_amount')
  return {
    isin: code('isin'),
    issuer_name: text('issuer_name'),
    issuer_lei: code('issuer_lei'),
    nominal_amount: amount,
    nominal_currency: amount === null ? null : code('nominal_currency'),
    extract_format: formats.find((format) => format === values['extract_format']) ?? null,
  }
}

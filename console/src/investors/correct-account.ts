import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, reasonField } from '../parts/actions.tsx'
import type { ActionField, Values } from '../parts/field-input.tsx'

type Account = Schemas['OperatorAccount']
type Part = 'contact' | 'bank' | 'tax'
type Correction = Omit<Schemas['AccountCorrection'], 'reason'>

/** Corrects data that an integrator sent. Each form replaces one part of the account as a whole. */
export function useCorrections({ id, communication, bank_account: bank, tax_information: tax }: Account): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('compliance')) return []
  const text = (name: string, initial = ''): ActionField => ({
    name,
    label: t(`investors.correct.${name as 'email'}`),
    kind: 'text',
    initial,
  })
  const yesOrNo = (name: string, initial: boolean): ActionField => ({
    ...text(name, initial ? 'yes' : 'no'),
    kind: 'choice',
    options: (['yes', 'no'] as const).map((value) => ({ value, label: t(`parts.${value}`) })),
  })
  // Masked members start empty: a person types them again in full.
  const fields: Readonly<Record<Part, readonly ActionField[]>> = {
    contact: [text('email', communication.email), yesOrNo('email_confirmed', communication.email_confirmed)],
    bank: [
      text('account_holder', bank.account_holder),
      text('bank_name', bank.bank),
      text('iban'),
      text('bic', bank.bic),
      text('country', bank.country),
      text('currency', bank.currency),
    ],
    tax: [
      text('tax_identification_number'),
      yesOrNo('is_subject_to_german_tax', tax?.is_subject_to_german_tax ?? false),
      yesOrNo('non_assessment_certificate', tax?.non_assessment_certificate ?? false),
    ],
  }
  const reason = reasonField(t)
  return (['contact', 'bank', 'tax'] as const).map((part) => ({
    id: `correct-${part}`,
    label: t(`investors.correct.${part}`),
    consequence: t(`investors.correct.${part}Text`),
    fields: [...fields[part], reason],
    run: (key, values) =>
      api.patch('/accounts/{accountId}', {
        path: { accountId: id },
        key,
        body: { ...correctionOf(part, values), reason: values['reason'] ?? '' },
      }),
    done: t('investors.correct.done'),
  }))
}

/** Builds the request that replaces one part of the account. */
function correctionOf(part: Part, values: Values): Correction {
  const text = (name: string) => (values[name] ?? '').trim()
  const code = (name: string) => text(name).replaceAll(' ', '').toUpperCase()
  if (part === 'contact')
    return { communication: { email: text('email'), email_confirmed: values['email_confirmed'] === 'yes' } }
  if (part === 'bank')
    return {
      bank_account: {
        account_holder: text('account_holder'),
        bank: text('bank_name'),
        iban: code('iban'),
        bic: code('bic'),
        country: code('country'),
        currency: code('currency'),
      },
    }
  return {
    tax_information: {
      tax_identification_number: text('tax_identification_number'),
      is_subject_to_german_tax: values['is_subject_to_german_tax'] === 'yes',
      non_assessment_certificate: values['non_assessment_certificate'] === 'yes',
    },
  }
}

import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type Action, reasonField } from '../parts/actions.tsx'
import { decimalText, trimmed } from '../parts/decimal.ts'
import { Diff } from '../parts/diff.tsx'
import { localTime, smallestUnits } from './draft.ts'

type Offering = Schemas['OperatorOffering']
type Values = Readonly<Record<string, string>>

const unitNames = ['total_units', 'min_units', 'max_units'] as const

/** Changes the end and the limits of a sale. The dialog compares old and new terms while the person types. */
export function useTermsAction(offering: Offering): Action {
  const { t } = useTranslation()
  const { id, decimals } = offering
  const current: Values = {
    closes_at: offering.closes_at ? localTime(new Date(offering.closes_at)) : '',
    ...Object.fromEntries(unitNames.map((name) => [name, tokensOf(offering[name], decimals)])),
  }
  const label = (name: string) => t(`draft.fields.${name as 'closes_at'}`)
  const named = (values: Values) =>
    Object.fromEntries(Object.keys(current).map((name) => [label(name), values[name] || '–']))
  return {
    id: 'terms',
    label: t('offerings.changeTerms'),
    consequence: t('offerings.changeTermsText'),
    fields: [
      ...Object.entries(current).map(([name, initial]) => ({
        name,
        label: label(name),
        kind: name === 'closes_at' ? ('time' as const) : ('text' as const),
        initial,
        isOptional: name !== 'total_units',
      })),
      reasonField(t),
    ],
    preview: (values) => <Diff before={named(current)} after={named(values)} />,
    confirmLabel: t('offerings.proposeTerms'),
    run: (key, values) =>
      api.post('/offerings/{offeringId}/terms', {
        path: { offeringId: id },
        key,
        body: { ...changeOf(current, values, decimals), reason: values['reason'] ?? '' },
      }),
    done: t('offerings.termsChanged'),
  }
}

function tokensOf(units: string | null, decimals: number): string {
  return units === null ? '' : trimmed(decimalText(BigInt(units), decimals))
}

/** Returns only the changed members: the API keeps the others. */
function changeOf(current: Values, values: Values, decimals: number): Omit<Schemas['SaleTermsChange'], 'reason'> {
  const isChanged = (name: string) => (values[name] ?? '') !== (current[name] ?? '')
  const units = unitNames
    .filter(isChanged)
    .map((name) => [name, values[name] ? smallestUnits(values[name], decimals) : null])
  const closesAt = values['closes_at']
  return {
    ...Object.fromEntries(units),
    ...(isChanged('closes_at') && { closes_at: closesAt ? new Date(closesAt).toISOString() : null }),
  }
}

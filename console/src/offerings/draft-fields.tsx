import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMe } from '../api/me.ts'
import { optionsOf } from '../parts/filter.ts'
import { type DraftField, type DraftStep, type DraftValues, draftSteps, isOptional } from './draft.ts'
import { offeringTypes } from './offering-types.ts'

interface DraftFieldsProps {
  readonly step: DraftStep
  readonly values: DraftValues
  readonly faults: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: string) => void
}

/** Fields that need an explanation. */
const explained: readonly DraftField[] = [
  'payment_tolerance',
  'soft_cap_units',
  'soft_cap_amount',
  'decimals',
  'tokenization_platform',
  'total_units',
]

export function DraftFields({ step, values, faults, onChange }: DraftFieldsProps) {
  const { t } = useTranslation()
  const { chains } = useMe()
  const choices: Readonly<Record<string, { value: string; label: string }[]>> = {
    type: optionsOf(offeringTypes),
    ...(chains.length > 0 && { blockchain: optionsOf(chains) }),
  }
  return (
    <div className="fields">
      {draftSteps[step].map((name) => {
        const shared = {
          label: t(`draft.fields.${name}`),
          ...(explained.includes(name) && { description: t(`draft.hints.${name}` as 'draft.hints.decimals') }),
          error: faults[name],
          withAsterisk: !isOptional(name),
          value: values[name] ?? '',
          onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
        }
        const options = choices[name]
        if (options) return <NativeSelect key={name} size="xs" {...shared} data={options} />
        return <TextInput key={name} {...shared} {...(name.endsWith('_at') && { type: 'datetime-local' })} />
      })}
      {step === 'rules' &&
        (['approval_required', 'acceptance_required'] as const).map((name) => (
          <Checkbox
            key={name}
            label={t(`draft.fields.${name}`)}
            description={t(`draft.hints.${name}`)}
            checked={values[name] === 'yes'}
            onChange={(event) => onChange(name, event.currentTarget.checked ? 'yes' : '')}
          />
        ))}
    </div>
  )
}

import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'

/** One field of a dialog. */
export interface ActionField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'long' | 'json' | 'time' | 'day' | 'choice' | 'choices' | 'acknowledgement'
  /** Help text, if the label alone does not explain the field. */
  readonly hint?: string
  readonly initial?: string
  readonly options?: readonly { value: string; label: string }[]
  readonly isOptional?: boolean
}

/** Values that the person chose or typed, by field. A `choices` field is joined with commas. */
export type Values = Readonly<Record<string, string>>

interface FieldInputProps {
  readonly field: ActionField
  readonly value: string
  readonly isFirst: boolean
  readonly onChange: (value: string) => void
}

export function FieldInput({ field, value, isFirst, onChange }: FieldInputProps) {
  const { label, kind, hint, options = [], isOptional } = field
  const shared = {
    label,
    required: !isOptional,
    ...(hint !== undefined && { description: hint }),
    ...(isFirst && { 'data-autofocus': true }),
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  }
  switch (kind) {
    case 'text':
      return <TextInput {...shared} />
    case 'time':
      return <TextInput {...shared} type="datetime-local" />
    case 'day':
      return <TextInput {...shared} type="date" />
    case 'long':
      return <Textarea {...shared} className="whole-width" rows={3} />
    case 'json':
      return (
        <Textarea
          {...shared}
          className="whole-width"
          rows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      )
    case 'choice':
      return <NativeSelect {...shared} size="xs" data={[...(value ? [] : ['']), ...options]} />
    case 'acknowledgement':
      return (
        <Checkbox
          label={label}
          required
          className="whole-width"
          checked={value === 'yes'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : '')}
        />
      )
    case 'choices':
      return (
        <Checkbox.Group
          label={label}
          value={value ? value.split(',') : []}
          onChange={(chosen) => onChange(chosen.join(','))}
        >
          <div className="choices">
            {options.map((option) => (
              <Checkbox key={option.value} value={option.value} label={option.label} />
            ))}
          </div>
        </Checkbox.Group>
      )
  }
}

import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { type ActionField, FieldInput, type Values } from './field-input.tsx'
import { SubmissionProblem } from './submission-problem.tsx'
import { submitByKey } from './submit-by-key.ts'
import type { Submission } from './use-submission.ts'

interface DialogFormProps {
  readonly title: string
  readonly size: 'md' | 'lg'
  readonly submission: Submission
  /** Text of the button that submits. Without it, the dialog can only be closed. */
  readonly submitText: string | undefined
  readonly isDangerous: boolean | undefined
  /** True if a field takes the focus; otherwise a button does. */
  readonly hasFields: boolean
  /** True if nothing remains to be done. */
  readonly isOver?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog that submits a change, and explains why it was not made. */
export function DialogForm({ title, size, submission, onClose, children, isOver = false, ...form }: DialogFormProps) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.submit()
  }
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <form onSubmit={submit} onKeyDown={submitByKey} className="stack">
        {children}
        <SubmissionProblem submission={submission} />
        <div className="line" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" {...(isOver && { 'data-autofocus': true })} onClick={onClose}>
            {isOver ? t('parts.close') : t('parts.cancel')}
          </Button>
          {form.submitText && (
            <Button
              type="submit"
              loading={submission.isRunning}
              {...(form.isDangerous && { color: 'red' })}
              {...(!form.hasFields && { 'data-autofocus': true })}
            >
              {form.submitText}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

interface FieldInputsProps {
  readonly fields: readonly ActionField[] | undefined
  readonly values: Values
  readonly onChange: (name: string, value: string) => void
}

export function FieldInputs({ fields = [], values, onChange }: FieldInputsProps) {
  return fields.map((field, index) => (
    <FieldInput
      key={field.name}
      field={field}
      isFirst={index === 0}
      value={values[field.name] ?? ''}
      onChange={(value) => onChange(field.name, value)}
    />
  ))
}

/** Returns the values with which the fields start. */
export function initialValues(fields: readonly ActionField[] = []): Values {
  return Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial]))
}

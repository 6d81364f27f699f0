import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProposal } from '../api/client.ts'
import { DialogForm, FieldInputs, initialValues } from './dialog-form.tsx'
import type { ActionField, Values } from './field-input.tsx'
import { notifyDone, notifyProposed } from './notify.tsx'
import { useSubmission } from './use-submission.ts'

export interface DialogAction {
  /** Verb and object: "Cancel order". */
  readonly label: string
  /** Effect of the action, with numbers. */
  readonly consequence: ReactNode
  readonly fields?: readonly ActionField[]
  /** Changes that the values would make, shown while the person types. */
  readonly preview?: (values: Values) => ReactNode
  /** New values of other fields after this one has changed, such as the currency of the chosen offering. */
  readonly derived?: (changed: string, values: Values) => Values
  /** Shows many fields in two columns. */
  readonly isWide?: boolean
  readonly isDangerous?: boolean
  /** True if the screen offers the action but does not recommend it. */
  readonly isNeutral?: boolean
  /** Text of the button, if it differs from the label. */
  readonly confirmLabel?: string
  /** Sends the change. The key makes repeating it safe. */
  readonly run: (idempotencyKey: string, values: Values) => Promise<unknown>
  /** Message after success, unless a second person has to confirm. */
  readonly done: string
  /** Receives the result, such as a secret that is shown once. */
  readonly onDone?: (result: unknown) => void
}

/** Asks before a change: shows its consequence, collects its values and uses one idempotency key for all attempts. */
export function ActionDialog({ action, onClose }: { action: DialogAction; onClose: () => void }) {
  const { t } = useTranslation()
  const [values, setValues] = useState(() => initialValues(action.fields))
  const submission = useSubmission(
    (key) => action.run(key, values),
    (result) => {
      if (isProposal(result)) notifyProposed(t, result.confirm_duty)
      else notifyDone(action.done)
      action.onDone?.(result)
      onClose()
    },
  )
  const change = (name: string, value: string) =>
    setValues((before) => {
      const next = { ...before, [name]: value }
      return { ...next, ...action.derived?.(name, next) }
    })
  return (
    <DialogForm
      title={action.label}
      size={action.isWide ? 'lg' : 'md'}
      submission={submission}
      submitText={action.confirmLabel ?? action.label}
      isDangerous={action.isDangerous}
      hasFields={!!action.fields?.length}
      onClose={onClose}
    >
      <div>{action.consequence}</div>
      {action.fields && (
        <div className={action.isWide ? 'fields fields-level' : 'stack'}>
          <FieldInputs fields={action.fields} values={values} onChange={change} />
        </div>
      )}
      {action.preview?.(values)}
    </DialogForm>
  )
}

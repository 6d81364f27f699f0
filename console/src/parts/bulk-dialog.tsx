import { Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refetchAll } from '../api/live-refetch.ts'
import type { BulkResult, NamedBulkAction } from './bulk-action.ts'
import { DialogForm, FieldInputs, initialValues } from './dialog-form.tsx'
import type { Values } from './field-input.tsx'
import { State } from './state.tsx'
import { useSubmission } from './use-submission.ts'

/** Items per request: few enough to show progress, and below the API's limit of 100. */
const partSize = 10

interface BulkDialogProps {
  readonly action: NamedBulkAction
  readonly leftOut: number
  readonly onClose: (isChanged: boolean) => void
}

/** Asks before many changes, then shows their progress and the result of each. */
export function BulkDialog({ action, leftOut, onClose }: BulkDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { rows, fields = [] } = action
  const [values, setValues] = useState(() => initialValues(fields))
  const { results, submission } = useBulkSubmission(action, values)
  const close = () => {
    onClose(results.length > 0)
    if (results.length > 0) void refetchAll(client)
  }
  const isOver = rows.length > 0 && results.length === rows.length
  const isStarted = results.length > 0 || submission.isRunning || submission.isWaiting
  const label = results.length > 0 ? t('bulk.continue') : action.label
  return (
    <DialogForm
      title={`${action.label} (${rows.length})`}
      size={isStarted ? 'lg' : 'md'}
      submission={submission}
      submitText={isOver || rows.length === 0 ? undefined : label}
      isDangerous={action.isDangerous}
      hasFields={fields.length > 0}
      isOver={isOver}
      onClose={close}
    >
      {isStarted ? (
        <BulkProgress rows={rows} results={results} />
      ) : (
        <BulkRequest
          action={action}
          leftOut={leftOut}
          values={values}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      )}
    </DialogForm>
  )
}

/** Sends the rows in parts and keeps the results of finished ones. */
function useBulkSubmission({ rows, send }: NamedBulkAction, values: Values) {
  const [results, setResults] = useState<readonly BulkResult[]>([])
  // Finished results, so that a retry after a lost connection continues there.
  const done = useRef<readonly BulkResult[]>([])
  const submission = useSubmission(
    async (key) => {
      while (done.current.length < rows.length) {
        const from = done.current.length
        const part = await send(`${key}.${from}`, [from, from + partSize], values)
        done.current = [...done.current, ...part.results]
        setResults(done.current)
      }
    },
    () => {},
    // The selected rows must stay until the person has read their results.
    { canRefetch: false },
  )
  return { results, submission }
}

interface BulkRequestProps {
  readonly action: NamedBulkAction
  readonly leftOut: number
  readonly values: Values
  readonly onChange: (name: string, value: string) => void
}

/** Shows the effect and the affected rows, and asks for the values that the action needs. */
function BulkRequest({ action, leftOut, values, onChange }: BulkRequestProps) {
  const { t } = useTranslation()
  return (
    <>
      <div>{action.consequence}</div>
      {action.isListed && (
        <ul className="bulk-results">
          {action.rows.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
      {leftOut > 0 && <div className="muted">{t('bulk.leftOut', { count: leftOut })}</div>}
      <FieldInputs fields={action.fields} values={values} onChange={onChange} />
    </>
  )
}

/** Shows the progress, with the result of each finished row. */
function BulkProgress({ rows, results }: { rows: NamedBulkAction['rows']; results: readonly BulkResult[] }) {
  const { t } = useTranslation()
  return (
    <>
      <div aria-live="polite">{t('bulk.progress', { done: results.length, count: rows.length })}</div>
      <Progress value={(results.length / rows.length) * 100} aria-label={t('bulk.progressLabel')} />
      <ul className="bulk-results">
        {results.map((result, index) => {
          const row = rows[index]
          return row && <ResultRow key={row.id} name={row.name} result={result} />
        })}
      </ul>
    </>
  )
}

function ResultRow({ name, result }: { name: string; result: BulkResult }) {
  const { t } = useTranslation()
  const { error, approval_id: approvalId } = result
  const tone = error ? 'failed' : approvalId ? 'attention' : 'done'
  const label = error ? t('bulk.failed') : approvalId ? t('parts.secondPerson') : t('bulk.done')
  return (
    <li>
      <div className="spread">
        <span className="cut">{name}</span>
        <State state={tone} tone={tone} label={label} />
      </div>
      {error && <div className="small muted">{error.message}</div>}
    </li>
  )
}

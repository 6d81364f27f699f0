import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { notifyDone } from '../parts/notify.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { Steps } from '../parts/steps.tsx'
import { submitByKey } from '../parts/submit-by-key.ts'
import { type DraftStep, type DraftValues, draftOf, draftSteps, faultOf, fieldOf } from './draft.ts'
import { DraftFields } from './draft-fields.tsx'
import { DraftReview } from './draft-review.tsx'

const steps = Object.keys(draftSteps) as DraftStep[]

/** Edits the terms of a draft step by step. The API checks them on saving, and its errors open their step. */
export function DraftWizard({ initial, offeringId }: { initial: DraftValues; offeringId?: string }) {
  const { t } = useTranslation()
  const [values, setValues] = useState(initial)
  const [step, setStep] = useState<DraftStep>('basics')
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const { save, problem, isSaving } = useSave(offeringId, (rejected) => {
    setFaults(rejected)
    const wrong = steps.find((one) => draftSteps[one].some((field) => rejected[field]))
    if (wrong) setStep(wrong)
  })
  const index = steps.indexOf(step)
  const isReview = step === 'review'
  const form = useRef<HTMLFormElement>(null)
  // Each step starts in its first field, the last one on its button. Enter opens the next step.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, button[type="submit"]')?.focus()
  }, [step])

  function submit(event: FormEvent): void {
    event.preventDefault()
    const checked = isReview ? Object.values(draftSteps).flat() : draftSteps[step]
    const found = checked.flatMap((field) => {
      const fault = faultOf(field, values)
      return fault ? [[field, t(`draft.${fault}`)]] : []
    })
    setFaults(Object.fromEntries(found))
    if (isReview && found.length === 0) void save(values)
    else if (found.length === 0) setStep(steps[index + 1] ?? step)
    else if (isReview) setStep(steps.find((one) => draftSteps[one].some((field) => field === found[0]?.[0])) ?? step)
  }

  return (
    <form ref={form} className="card stack wizard" noValidate onSubmit={submit} onKeyDown={submitByKey}>
      <Steps
        label={t('draft.progress')}
        steps={steps.map((name, position) => ({
          name: t(`draft.${name}`),
          state: position < index ? 'done' : position === index ? 'current' : 'open',
        }))}
      />
      <h2>{t(`draft.${step}`)}</h2>
      {isReview ? (
        <DraftReview values={values} />
      ) : (
        <DraftFields
          step={step}
          values={values}
          faults={faults}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      )}
      {problem && <ProblemCard problem={problem} />}
      <div className="spread">
        <Button variant="default" disabled={index === 0} onClick={() => setStep(steps[index - 1] ?? step)}>
          {t('draft.back')}
        </Button>
        <Button type="submit" loading={isSaving}>
          {isReview ? t('offerings.saveDraft') : t('draft.next')}
        </Button>
      </div>
    </form>
  )
}

/** Stores the draft and opens its page. All attempts with the same terms use one idempotency key. */
function useSave(offeringId: string | undefined, onRejected: (faults: Readonly<Record<string, string>>) => void) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [attempt, setAttempt] = useState({ key: '', body: '' })
  const [problem, setProblem] = useState<Error>()
  const [isSaving, setSaving] = useState(false)

  async function save(values: DraftValues): Promise<void> {
    setSaving(true)
    setProblem(undefined)
    try {
      const body = draftOf(values)
      const text = JSON.stringify(body)
      const key = attempt.body === text ? attempt.key : crypto.randomUUID()
      setAttempt({ key, body: text })
      const { id } = offeringId
        ? await api.patch('/offerings/{offeringId}', { path: { offeringId }, key, body })
        : await api.post('/offerings', { key, body })
      notifyDone(t('offerings.created'))
      await client.invalidateQueries()
      await navigate({ to: '/offerings/$offeringId', params: { offeringId: id } })
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
      if (error instanceof Problem)
        onRejected(
          Object.fromEntries(Object.entries(error.fieldFailures).map(([member, text]) => [fieldOf(member), text])),
        )
    } finally {
      setSaving(false)
    }
  }

  return { save, problem, isSaving }
}

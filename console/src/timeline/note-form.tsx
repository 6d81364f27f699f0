import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { SubmissionProblem } from '../parts/submission-problem.tsx'
import { useDraft } from '../parts/use-draft.ts'
import { useSubmission } from '../parts/use-submission.ts'

interface NoteFormProps {
  readonly subject: { readonly type: Schemas['NewNote']['subject_type']; readonly id: string }
}

/** A note for colleagues. The text stays if the person visits another page before saving. */
export function NoteForm({ subject }: NoteFormProps) {
  const { t } = useTranslation()
  const [text, setText] = useDraft(`note ${subject.id}`)
  const [isFocused, setFocused] = useState(false)
  const submission = useSubmission(
    (key) =>
      api.post('/notes', { key, body: { subject_type: subject.type, subject_id: subject.id, text: text.trim() } }),
    () => setText(''),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.submit()
  }
  const isOpen = isFocused || text !== ''
  return (
    <form className="stack" style={{ gap: 8, marginBottom: 12 }} onSubmit={submit}>
      <Textarea
        aria-label={t('notes.text')}
        placeholder={t('notes.text')}
        rows={isOpen ? 3 : 1}
        maxLength={4000}
        value={text}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text.trim() !== '' && (
        <div className="spread">
          <span className="small muted">{t('notes.hint')}</span>
          <Button type="submit" loading={submission.isRunning}>
            {t('notes.add')}
          </Button>
        </div>
      )}
      <SubmissionProblem submission={submission} />
    </form>
  )
}

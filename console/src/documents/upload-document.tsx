import { Button, FileButton, NativeSelect } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { notifyDone } from '../parts/notify.tsx'
import { SubmissionProblem } from '../parts/submission-problem.tsx'
import { useSubmission } from '../parts/use-submission.ts'

export type DocumentKind = Schemas['Document']['kind']

const kinds: readonly DocumentKind[] = ['identity', 'address', 'register', 'tax', 'contract', 'prospectus', 'other']

/** Adds a file. Uploading the same file again changes nothing, so a retry needs no idempotency key. */
export function UploadDocument({ upload }: { upload: (kind: DocumentKind, file: File) => Promise<unknown> }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<DocumentKind>('identity')
  const [file, setFile] = useState<File | null>(null)
  const submission = useSubmission(
    async () => {
      if (file) await upload(kind, file)
    },
    () => {
      notifyDone(t('documents.uploaded'))
      setFile(null)
    },
  )
  return (
    <div className="stack" style={{ gap: 8, marginBottom: 12 }}>
      <div className="line">
        <NativeSelect
          size="xs"
          aria-label={t('documents.kind')}
          data={kinds.map((value) => ({ value, label: t(`documents.kinds.${value}`) }))}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as DocumentKind)}
        />
        <FileButton accept="application/pdf,image/png,image/jpeg,text/plain" onChange={setFile}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={14} />}>
              {t('documents.choose')}
            </Button>
          )}
        </FileButton>
        {file && (
          <>
            <span className="cut">{file.name}</span>
            <Button loading={submission.isRunning} onClick={() => void submission.submit()}>
              {t('documents.upload')}
            </Button>
          </>
        )}
      </div>
      <SubmissionProblem submission={submission} />
    </div>
  )
}

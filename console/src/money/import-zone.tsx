import '@mantine/dropzone/styles.css'
import { Dropzone } from '@mantine/dropzone'
import { IconFileImport } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { statementFileTypes } from '../api/generated/operator-api.ts'
import { refetchAll } from '../api/live-refetch.ts'
import { fileBody } from '../documents/file-body.ts'
import { useKeys } from '../parts/keys.ts'
import { notifyDone } from '../parts/notify.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'

/** Imports the bank's file, dropped or selected. Importing the same file again changes nothing. */
export function ImportZone() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [problem, setProblem] = useState<Error>()
  const [isImporting, setImporting] = useState(false)
  const choose = useRef<() => void>(null)
  useKeys(useMemo(() => ({ a: () => choose.current?.() }), []))
  const importAll = async (files: readonly File[]) => {
    setImporting(true)
    setProblem(undefined)
    try {
      for (const file of files) {
        // Browsers and banks label files wrongly. The service detects the format from the content.
        const type = statementFileTypes.find((accepted) => accepted === file.type) ?? statementFileTypes[0]
        const result = await api.post('/statements', { ...fileBody(file), headers: { 'Content-Type': type } })
        const counts = { name: file.name, read: result.entries_read, added: result.entries_new }
        notifyDone(result.is_new ? t('statements.imported', counts) : t('statements.known', counts))
      }
      await refetchAll(client)
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setImporting(false)
    }
  }
  return (
    <>
      <Dropzone
        openRef={choose}
        onDrop={(files) => void importAll(files)}
        loading={isImporting}
        p="sm"
        inputProps={{ 'aria-label': t('statements.import') }}
      >
        <div className="line" style={{ justifyContent: 'center' }}>
          <IconFileImport size={18} />
          <span>{t('statements.drop')}</span>
        </div>
      </Dropzone>
      {problem && <ProblemCard problem={problem} />}
    </>
  )
}

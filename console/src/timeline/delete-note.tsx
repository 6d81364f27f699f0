import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Actions } from '../parts/actions.tsx'

/** Only its author, and people with the duty team, may delete a note. */
export function DeleteNote({ noteId, authorId }: { noteId: string; authorId: string | null }) {
  const { t } = useTranslation()
  const may = useMay()
  const { user } = useMe()
  if (authorId !== user.id && !may('team')) return null
  return (
    <Actions
      isCompact
      actions={[
        {
          id: 'delete',
          label: t('notes.delete'),
          isDangerous: true,
          consequence: t('notes.deleteText'),
          run: (key) => api.post('/notes/{noteId}/delete', { path: { noteId }, key }),
          done: t('notes.deleted'),
        },
      ]}
    />
  )
}

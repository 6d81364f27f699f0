import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { saveBlob } from '../parts/save-blob.ts'

/** Returns the actions a person may take on a statement in its state, most likely first. */
export function useStatementActions(statement: Schemas['Statement']): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('money')) return []
  const { entries: count, waits_for_booking: isWaiting } = statement
  const path = { statementId: statement.id }
  return offeredActions([
    isWaiting && {
      id: 'book',
      label: t('statements.book'),
      consequence: t('statements.bookText', { count }),
      run: (key) => api.post('/statements/{statementId}/book', { path, key }),
      done: t('statements.bookDone'),
    },
    statement.continuity === 'gap' &&
      statement.gap_resolution === null && {
        id: 'gap',
        label: t('statements.resolveGap'),
        consequence: t('statements.gapText', {
          expected: statement.expected_opening_balance,
          actual: statement.opening_balance,
        }),
        fields: [{ name: 'resolution', label: t('statements.resolution'), kind: 'long' }],
        run: (key, { resolution = '' }) =>
          api.post('/statements/{statementId}/resolve-gap', { path, key, body: { resolution } }),
        done: t('statements.gapDone'),
      },
    {
      id: 'download',
      label: t('statements.download'),
      consequence: t('statements.downloadText'),
      run: async () => {
        const file = await api.download('/statements/{statementId}/download', { path })
        saveBlob(`statement-${statement.bank_id}.${file.name.split('.').at(-1)}`, file)
      },
      done: t('statements.downloaded'),
    },
    isWaiting && {
      id: 'discard',
      label: t('statements.discard'),
      isDangerous: true,
      consequence: t('statements.discardText', { count }),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) => api.post('/statements/{statementId}/discard', { path, key, body: { reason } }),
      done: t('statements.discarded'),
    },
  ])
}

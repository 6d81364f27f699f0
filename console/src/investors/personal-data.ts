import { useTranslation } from 'react-i18next'
import { api, isProposal, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { saveBlob } from '../parts/save-blob.ts'

/** Actions for what an investor may demand: a copy of all data stored about them, and its erasure. */
export function usePersonalData({ id, counts }: Schemas['OperatorAccount'], name: string): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const path = { accountId: id }
  return offeredActions([
    may('personal') && {
      id: 'subject-access',
      label: t('investors.export'),
      consequence: t('investors.exportText', { name }),
      run: () => api.post('/accounts/{accountId}/subject-access', { path }),
      done: t('investors.exported'),
      onDone: (result) => {
        if (isProposal(result)) return
        const content = new Blob([JSON.stringify(result, null, 2)], { type: 'application/json' })
        saveBlob(`investor-${id}.json`, content)
      },
    },
    may('compliance') && {
      id: 'erase',
      label: t('investors.erase'),
      isDangerous: true,
      consequence: t('investors.eraseText', { name, count: counts.orders }),
      confirmLabel: t('investors.proposeErasure'),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) => api.post('/accounts/{accountId}/erase', { path, key, body: { reason } }),
      done: t('investors.erased'),
    },
  ])
}

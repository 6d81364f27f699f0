import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { moneyText } from '../parts/money-text.ts'
import { saveBlob } from '../parts/save-blob.ts'

type File = Schemas['DistributionFile']

export function useFileActions(offeringId: string): (file: File) => Action[] {
  const { t, i18n } = useTranslation()
  const may = useMay()
  return ({ id, number, status, transfers: count, amount, currency }) => {
    if (!may('money', offeringId)) return []
    const sum = moneyText(amount, currency, i18n.language)
    return [
      {
        id: 'download',
        label: t('documents.download'),
        consequence:
          status === 'downloaded' ? t('payouts.downloadAgainText') : t('distributions.downloadText', { count, sum }),
        run: async () =>
          saveBlob(
            `distribution-${id}-${number}.xml`,
            await api.download('/distribution-files/{fileId}/download', { path: { fileId: id } }),
          ),
        done: t('payouts.downloaded'),
      },
    ]
  }
}

/** Returns the download of the first file that has not been sent to the bank: the next step once files exist. */
export function useNextDownload({ id, files, offering_id: offeringId }: Schemas['DistributionPreview']): Action[] {
  const { t } = useTranslation()
  const actionsOf = useFileActions(offeringId)
  const { data } = useQuery({
    queryKey: ['distribution', id, 'open-file', files],
    queryFn: async () => {
      const { results } = await api.get('/distributions/{distributionId}/files', {
        path: { distributionId: id },
        query: { limit: 100 },
      })
      const open = results.filter(({ status }) => status === 'open')
      return open.toSorted((one, other) => one.number - other.number)[0] ?? null
    },
    enabled: files > 0,
  })
  if (!data) return []
  return actionsOf(data).map((action) => ({
    ...action,
    label: t('distributions.downloadFile', { number: data.number }),
  }))
}

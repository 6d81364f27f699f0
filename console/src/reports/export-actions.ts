import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { useOfferings } from '../offerings/use-offerings.ts'
import type { Action } from '../parts/actions.tsx'
import { saveBlob } from '../parts/save-blob.ts'
import { usePersonalField } from './use-personal-field.ts'

type Export = Schemas['Export']

/** Excludes extracts of the register, which are started on the screen of the register. */
const kinds: readonly Exclude<Export['kind'], 'register'>[] = ['orders', 'payments', 'refunds', 'holders', 'audit']

/** Starts an export, which writes a file in the background. */
export function useNewExport(): Action {
  const { t } = useTranslation()
  const offerings = useOfferings().map(({ id, name }) => ({ value: id, label: name }))
  return {
    id: 'export',
    label: t('reports.create'),
    consequence: t('reports.createText'),
    fields: [
      {
        name: 'kind',
        label: t('settlement.kind'),
        kind: 'choice',
        initial: 'orders',
        options: kinds.map((value) => ({ value, label: t(`reports.kinds.${value}`) })),
      },
      { name: 'offering_id', label: t('orders.offering'), kind: 'choice', options: offerings, isOptional: true },
      { name: 'from', label: t('reports.from'), kind: 'time', isOptional: true },
      { name: 'to', label: t('reports.to'), kind: 'time', isOptional: true },
      ...usePersonalField(t('reports.withPersonal')),
    ],
    run: (key, values) => api.post('/exports', { key, body: newExportOf(values) }),
    done: t('reports.created'),
  }
}

function newExportOf(values: Readonly<Record<string, string>>): Schemas['NewExport'] {
  const { kind = '', offering_id: offeringId, from, to, personal } = values
  return {
    kind: kind as Export['kind'],
    with_personal_data: personal === 'yes',
    ...(offeringId && { offering_id: offeringId }),
    ...(from && { from: new Date(from).toISOString() }),
    ...(to && { to: new Date(to).toISOString() }),
  }
}

export function useExportActions(): (one: Export) => Action[] {
  const { t } = useTranslation()
  const { user } = useMe()
  return ({ id, kind, format, state, created_at: at, row_count: count, ...one }) => {
    const path = { exportId: id }
    if (state === 'running')
      return [
        {
          id: 'cancel',
          label: t('reports.cancel'),
          isDangerous: true,
          consequence: t('reports.cancelText'),
          run: (key) => api.post('/exports/{exportId}/cancel', { path, key }),
          done: t('reports.cancelled'),
        },
      ]
    if (state !== 'done' || (one.with_personal_data && one.created_by !== user.id)) return []
    return [
      {
        id: 'download',
        label: t('reports.download'),
        consequence: t('reports.downloadText', { count, format: format.toUpperCase() }),
        run: async () =>
          saveBlob(
            `${kind}-${at.slice(0, 10)}.${format}`,
            await api.download('/exports/{exportId}/download', { path }),
          ),
        done: t('reports.downloaded'),
      },
    ]
  }
}

import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions } from '../parts/actions.tsx'
import { unitsText } from '../parts/units.tsx'

/** Returns the actions for a transfer. The service rejects an action and names all preconditions that are missing. */
export function useTransferActions(): (transfer: Schemas['OperatorTransferRequestSummary']) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, status, reason, units, decimals, sender_name: from, receiver_name: to, chain_op_id: opId }) => {
    const params = (key: string) => ({ path: { transferId: id }, key })
    const text = { units: unitsText(units, decimals), from, to }
    const isForced = reason === 'inheritance' || reason === 'lost_keys'
    const isOpen = status === 'REQUESTED' || status === 'APPROVED' || status === 'READY'
    return offeredActions([
      status === 'REQUESTED' &&
        may('compliance') && {
          id: 'approve',
          label: t('transfers.approve'),
          consequence: t('transfers.approveText', text),
          run: (key) => api.post('/transfers/{transferId}/approve', params(key)),
          done: t('transfers.approved'),
        },
      status === 'READY' &&
        isForced &&
        opId === null &&
        may('token') && {
          id: 'force',
          label: t('transfers.force'),
          consequence: t('transfers.forceText', text),
          isDangerous: true,
          run: (key) => api.post('/transfers/{transferId}/force', params(key)),
          done: t('transfers.forced'),
        },
      isOpen &&
        may('compliance') && {
          id: 'reject',
          label: t('transfers.reject'),
          consequence: t('transfers.rejectText', text),
          isDangerous: true,
          fields: [{ name: 'reason', label: t('parts.reason'), kind: 'text' }],
          run: (key, { reason: why = '' }) =>
            api.post('/transfers/{transferId}/reject', { ...params(key), body: { reason: why } }),
          done: t('transfers.rejected'),
        },
    ])
  }
}

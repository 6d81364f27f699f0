import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { useSaleActions } from './sale-actions.tsx'
import { useTokenActions } from './token-actions.ts'

/** Returns the actions a person may take on an offering in its state. */
export function useOfferingActions(offering: Schemas['OperatorOffering']): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const saleActions = useSaleActions(offering)
  const tokenActions = useTokenActions(offering)
  const { id } = offering
  const params = (key: string) => ({ path: { offeringId: id }, key })
  return offeredActions([
    ...saleActions,
    may('settlement', id) &&
      offering.minting_stopped !== null &&
      resumeMintingAction(id, t('offerings.resumeText', { why: offering.minting_stopped }), t),
    may('settlement', id) &&
      offering.status === 'DRAFT' &&
      !offering.token_address && {
        id: 'attach',
        label: t('offerings.attach'),
        consequence: t('offerings.attachText'),
        fields: [{ name: 'address', label: t('offerings.address'), kind: 'text' }],
        run: (key, { address = '' }) =>
          api.post('/offerings/{offeringId}/attach-token', { ...params(key), body: { address } }),
        done: t('offerings.attached'),
      },
    may('settlement', id) &&
      offering.token_address !== null && {
        id: 'reconcile',
        label: t('chain.reconcile'),
        consequence: t('chain.reconcileText'),
        run: (key) => api.post('/offerings/{offeringId}/reconcile', params(key)),
        done: t('chain.reconcileDone'),
      },
    ...tokenActions,
  ])
}

export function resumeMintingAction(offeringId: string, consequence: string, t: TFunction): Action {
  return {
    id: 'resume',
    label: t('offerings.resume'),
    consequence,
    fields: [reasonField(t)],
    run: (key, { reason = '' }) =>
      api.post('/offerings/{offeringId}/resume-minting', { path: { offeringId }, key, body: { reason } }),
    done: t('offerings.resumed'),
  }
}

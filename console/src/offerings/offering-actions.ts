import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { reasonField } from '../parts/reason-field.ts'
import { useSaleActions } from './sale-actions.tsx'
import { useTokenActions } from './token-actions.ts'

/** Returns the actions a person may take on an offering in its state. */
export function useOfferingActions(offering: Schemas['OperatorOffering']): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const saleActions = useSaleActions(offering)
  const tokenActions = useTokenActions(offering)
  const { id } = offering
  const params = (key: string) => ({ params: { path: { offeringId: id }, header: once(key) } })
  const reason = reasonField(t)
  return [
    ...saleActions,
    may('settlement', id) &&
      offering.minting_stopped !== null && {
        id: 'resume',
        label: t('offerings.resume'),
        consequence: t('offerings.resumeText', { why: offering.minting_stopped }),
        fields: [reason],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(
            api.POST('/offerings/{offeringId}/resume-minting', {
              ...params(key),
              body: { reason: values['reason'] ?? '' },
            }),
          ),
        done: t('offerings.resumed'),
      },
    may('settlement', id) &&
      offering.status === 'DRAFT' &&
      !offering.token_address && {
        id: 'attach',
        label: t('offerings.attach'),
        consequence: t('offerings.attachText'),
        fields: [{ name: 'address', label: t('offerings.address'), kind: 'text' as const }],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(
            api.POST('/offerings/{offeringId}/attach-token', {
              ...params(key),
              body: { address: values['address'] ?? '' },
            }),
          ),
        done: t('offerings.attached'),
      },
    may('settlement', id) &&
      offering.token_address !== null && {
        id: 'reconcile',
        label: t('chain.reconcile'),
        consequence: t('chain.reconcileText'),
        run: (key: string) => bodyOf(api.POST('/offerings/{offeringId}/reconcile', params(key))),
        done: t('chain.reconcileDone'),
      },
    ...tokenActions,
  ].filter((action) => action !== false)
}

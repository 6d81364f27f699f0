import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { reasonField } from '../parts/actions.tsx'
import type { BulkAction } from '../parts/bulk-action.ts'
import { BulkActions } from '../parts/bulk-actions.tsx'

type Investor = Schemas['AccountSearchResult']

/** Decides about many investors together: KYB of companies and KYC of persons. */
export function InvestorBulk({ investors, onDone }: { investors: readonly Investor[]; onDone: () => void }) {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('compliance')) return null
  const checkOf = ({ type }: Investor) => (type === 'COMPANY' ? 'kyb' : 'kyc')
  const statusOf = (one: Investor) => (checkOf(one) === 'kyb' ? one.kyb_status : one.kyc_status)
  const decision = (to: 'APPROVED' | 'REJECTED'): BulkAction<Investor> => ({
    id: to,
    label: to === 'APPROVED' ? t('investors.approve') : t('investors.reject'),
    isDangerous: to === 'REJECTED',
    consequence: t('investors.decideManyText', { to }),
    items: investors.filter((one) => statusOf(one) !== to),
    fields: [
      reasonField(t),
      ...(to === 'APPROVED'
        ? [
            {
              name: 'acknowledged',
              label: t('investors.riskOfMany'),
              kind: 'choices' as const,
              isOptional: true,
              options: [{ value: 'document_missing', label: t('investors.alsoWithoutDocument') }],
            },
          ]
        : []),
    ],
    run: (key, items, values) => {
      const all = items.map((one) => ({
        account_id: one.id,
        expected_status: statusOf(one),
        body: {
          [checkOf(one)]: to,
          ...(values['acknowledged'] && { acknowledged: ['document_missing' as const] }),
          reason: values['reason'] ?? '',
        },
      }))
      return api.post('/bulk/decideAccount', { key, body: { items: all } })
    },
  })
  return (
    <BulkActions
      actions={[decision('APPROVED'), decision('REJECTED')]}
      selectedCount={investors.length}
      nameOf={({ full_name: name }) => name}
      onDone={onDone}
    />
  )
}

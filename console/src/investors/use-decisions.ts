import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, reasonField } from '../parts/actions.tsx'
import type { ActionField } from '../parts/field-input.tsx'

type Account = Schemas['OperatorAccount']
type Check = 'kyc' | 'kyb'

/** Approves or rejects an investor. */
export function useDecisions(account: Account, name: string): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('compliance')) return []
  const checks: readonly Check[] = account.type === 'COMPANY' ? ['kyb', 'kyc'] : ['kyc']
  return (['APPROVED', 'REJECTED'] as const)
    .flatMap((to) => checks.map((check) => ({ to, check })))
    .filter(({ to, check }) => account[check].status !== to)
    .map(({ to, check }) => decisionOf(account, { name, check, to }, t))
}

/** Returns one decision. An approval with risks is not recommended, and the person must acknowledge each risk. */
export function decisionOf(
  account: Account,
  { name, check, to }: { name: string; check: Check; to: 'APPROVED' | 'REJECTED' },
  t: TFunction,
): Action {
  const risks = to === 'APPROVED' ? account.approval_risks[check] : []
  const acknowledgements = risks.map(
    (risk): ActionField => ({ name: risk, label: t(`investors.risks.${risk}`), kind: 'acknowledgement' }),
  )
  return {
    id: `${check}-${to}`,
    label: `${to === 'APPROVED' ? t('investors.approve') : t('investors.reject')} ${check.toUpperCase()}`,
    isDangerous: to === 'REJECTED',
    isNeutral: risks.length > 0,
    consequence: t('investors.decideText', { name, check: check.toUpperCase(), from: account[check].status, to }),
    fields: [...acknowledgements, reasonField(t)],
    run: (key, values) =>
      api.post('/accounts/{accountId}/decision', {
        path: { accountId: account.id },
        key,
        body: {
          [check]: to,
          ...(risks.length > 0 && { acknowledged: risks.filter((risk) => values[risk] === 'yes') }),
          reason: values['reason'] ?? '',
        },
      }),
    done: t('investors.decided', { name, to }),
  }
}

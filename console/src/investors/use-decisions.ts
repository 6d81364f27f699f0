import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { reasonField } from '../parts/reason-field.ts'

/** Approves or rejects an investor. */
export function useDecisions({ id, type, kyc, kyb }: Schemas['OperatorAccount'], name: string): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('compliance')) return []
  const checks = type === 'COMPANY' ? (['kyb', 'kyc'] as const) : (['kyc'] as const)
  const current = { kyc: kyc.status, kyb: kyb.status }
  const decisions = [
    { status: 'APPROVED', label: t('investors.approve'), isDangerous: false },
    { status: 'REJECTED', label: t('investors.reject'), isDangerous: true },
  ] as const
  return decisions
    .flatMap((decision) => checks.map((check) => ({ ...decision, check })))
    .filter(({ status, check }) => current[check] !== status)
    .map(({ status, label, isDangerous, check }) => ({
      id: `${check}-${status}`,
      label: `${label} ${check.toUpperCase()}`,
      isDangerous,
      consequence: t('investors.decideText', { name, check: check.toUpperCase(), from: current[check], to: status }),
      fields: [reasonField(t)],
      run: (key, values) =>
        bodyOf(
          api.POST('/accounts/{accountId}/decision', {
            params: { path: { accountId: id }, header: once(key) },
            body: { [check]: status, reason: values['reason'] ?? '' },
          }),
        ),
      done: t('investors.decided', { name, to: status }),
    }))
}

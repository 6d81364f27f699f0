import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, reasonField } from '../parts/actions.tsx'

/** Fields of each kind of token action. */
const fieldsOf = {
  FREEZE: ['wallet_address', 'units'],
  FORCED_TRANSFER: ['wallet_address', 'to_address', 'units'],
  BURN: ['wallet_address', 'units'],
  PAUSE: [],
  UNPAUSE: [],
} as const
const kinds = Object.keys(fieldsOf) as (keyof typeof fieldsOf)[]

/** Proposes an action on the token. A second person must always confirm. */
export function useTokenActions({ id, token_address: token }: Schemas['OperatorOffering']): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  if (!token || !may('token', id)) return []
  return kinds.map((kind) => ({
    id: `token-${kind}`,
    label: t(`token.${kind}`),
    isDangerous: true,
    consequence: t(`token.${kind}Text`),
    confirmLabel: t('token.propose'),
    fields: [
      ...fieldsOf[kind].map((name) => ({ name, label: t(`token.${name}`), kind: 'text' as const })),
      reasonField(t),
    ],
    run: (key, values) =>
      api.post('/offerings/{offeringId}/token-actions', {
        path: { offeringId: id },
        key,
        body: { kind, reason: '', ...values },
      }),
    done: t('token.proposed'),
  }))
}

import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, reasonField } from '../parts/actions.tsx'

type NewTokenAction = Schemas['NewTokenAction']
type Kind = NewTokenAction['kind']
type Member = Exclude<keyof NewTokenAction, 'kind' | 'reason'>

/** Display of each member in the details of a token action. */
export const tokenActionMembers: Readonly<Record<Member, 'copied' | 'plain'>> = {
  wallet_address: 'copied',
  to_address: 'copied',
  units: 'plain',
}

/** Fields of each kind of token action. */
const fieldsOf: Readonly<Record<Kind, readonly Member[]>> = {
  FREEZE: ['wallet_address', 'units'],
  FORCED_TRANSFER: ['wallet_address', 'to_address', 'units'],
  BURN: ['wallet_address', 'units'],
  PAUSE: [],
  UNPAUSE: [],
  SET_CAP: ['units'],
}
const kinds = Object.keys(fieldsOf) as Kind[]

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

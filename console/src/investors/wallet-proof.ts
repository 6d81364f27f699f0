import { useTranslation } from 'react-i18next'
import { api, isProposal, type Schemas } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import type { Action } from '../parts/actions.tsx'
import { optionsOf } from '../parts/filter.ts'

type Wallet = Schemas['OperatorWallet']
type NewWallet = Schemas['NewWallet']

const providers: readonly NewWallet['provider'][] = ['METAMASK', 'WALLETCONNECT', 'FIREBLOCKS', 'MAGIC_LINK']
const types: readonly NewWallet['type'][] = ['BROWSER_WALLET', 'MOBILE_WALLET', 'POINT_WALLET']

/** Shows the message that the owner must sign. A registration that waits for a second person has none yet. */
function showChallenge(result: unknown, show: (challenge: string) => void): void {
  const { challenge } = result as Partial<Schemas['ChallengedWallet']>
  if (!isProposal(result) && challenge) show(challenge)
}

/** Registers a wallet for an investor. It can receive tokens once its owner has proven that they control it. */
export function useRegistration(accountId: string, onChallenge: (challenge: string) => void): Action[] {
  const { t } = useTranslation()
  const may = useMay()
  const { chains } = useMe()
  if (!may('compliance')) return []
  const chosen = [...new Set([...chains, 'ethereum'])]
  const choice = (name: keyof NewWallet, values: readonly string[]) =>
    ({
      name,
      label: t(`wallets.${name}`),
      kind: 'choice',
      options: optionsOf(values),
      initial: values[0] ?? '',
    }) as const
  return [
    {
      id: 'register-wallet',
      label: t('wallets.register'),
      consequence: t('wallets.registerText'),
      fields: [
        { name: 'public_address', label: t('wallets.public_address'), kind: 'text' },
        { name: 'name', label: t('wallets.name'), kind: 'text' },
        choice('blockchain', chosen),
        choice('provider', providers),
        choice('type', types),
      ],
      run: (key, values) =>
        api.post('/accounts/{accountId}/wallets', {
          path: { accountId },
          key,
          body: { ...(values as unknown as NewWallet), public_address: (values['public_address'] ?? '').trim() },
        }),
      done: t('wallets.registered'),
      onDone: (result) => showChallenge(result, onChallenge),
    },
  ]
}

/** Returns the actions for an unproven wallet: get a message to sign, and submit the signature. */
export function useProofActions(onChallenge: (challenge: string) => void): (wallet: Wallet) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, account_id: accountId, status, public_address: address }) => {
    if (!may('compliance')) return []
    const params = (key: string) => ({ path: { accountId, walletId: id }, key })
    const prove: Action = {
      id: 'prove',
      label: t('wallets.prove'),
      consequence: t('wallets.proveText', { address }),
      fields: [
        { name: 'message', label: t('wallets.message'), kind: 'long' },
        { name: 'signature', label: t('wallets.signature'), kind: 'text' },
      ],
      run: (key, { message = '', signature = '' }) =>
        api.post('/accounts/{accountId}/wallets/{walletId}/prove', {
          ...params(key),
          body: { message, signature: signature.trim() },
        }),
      done: t('wallets.proven'),
    }
    const challenge: Action = {
      id: 'challenge',
      label: t('wallets.newChallenge'),
      consequence: t('wallets.newChallengeText'),
      run: (key) => api.post('/accounts/{accountId}/wallets/{walletId}/challenge', params(key)),
      done: t('wallets.challengeMade'),
      onDone: (result) => showChallenge(result, onChallenge),
    }
    if (status === 'PENDING') return [prove, challenge]
    return status === 'EXPIRED' || status === 'INACTIVE' ? [challenge] : []
  }
}

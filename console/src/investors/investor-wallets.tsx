import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, reasonField } from '../parts/actions.tsx'
import { actionsColumn, type Column, copiedColumn, timeColumn } from '../parts/columns.tsx'
import { Copied } from '../parts/copied.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'
import { useProofActions, useRegistration } from './wallet-proof.ts'

type Wallet = Schemas['OperatorWallet']

export function InvestorWallets({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const [challenge, setChallenge] = useState<string>()
  const list = useList<Wallet>(['account', accountId, 'wallets'], (query) =>
    api.get('/accounts/{accountId}/wallets', { path: { accountId }, query }),
  )
  const columns = useColumns(setChallenge)
  return (
    <TableCard
      title={t('investors.wallets')}
      actions={useRegistration(accountId, setChallenge)}
      list={list}
      emptyText={t('investors.noWallets')}
      columns={columns}
    >
      {challenge !== undefined && (
        <SidePanel title={t('wallets.challenge')} onClose={() => setChallenge(undefined)}>
          <p>{t('wallets.challengeText')}</p>
          <pre className="json mono">{challenge}</pre>
          <Copied text={challenge} />
        </SidePanel>
      )}
    </TableCard>
  )
}

function useColumns(onChallenge: (challenge: string) => void): Column<Wallet>[] {
  const { t } = useTranslation()
  const proofOf = useProofActions(onChallenge)
  const movesOf = useWalletActions()
  return [
    {
      id: 'name',
      header: t('investors.name'),
      cell: ({ name, blockchain }) => (
        <>
          {name} <span className="muted small">{blockchain}</span>
        </>
      ),
    },
    copiedColumn('address', t('offerings.address'), 115, (one) => one.public_address),
    { id: 'status', header: t('orders.status'), width: 130, cell: ({ status }) => <State state={status} /> },
    timeColumn('proven', t('investors.proven'), (one) => one.proven_at),
    actionsColumn(t('parts.actions'), 135, (wallet) => [...proofOf(wallet), ...movesOf(wallet)]),
  ]
}

function useWalletActions(): (wallet: Wallet) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, account_id: accountId, status, public_address: address }) => {
    if (!may('compliance')) return []
    const possible = [
      ...(status === 'ACTIVE' ? (['suspend'] as const) : []),
      ...(status === 'SUSPENDED' ? (['resume'] as const) : []),
      ...(status === 'ACTIVE' || status === 'SUSPENDED' ? (['retire'] as const) : []),
    ]
    return possible.map((verb) => ({
      id: verb,
      label: t(`investors.${verb}`),
      isDangerous: verb !== 'resume',
      consequence: t(`investors.${verb}Text`, { address }),
      fields: [reasonField(t)],
      run: (key, { reason = '' }) =>
        api.post(`/accounts/{accountId}/wallets/{walletId}/${verb}`, {
          path: { accountId, walletId: id },
          key,
          body: { reason },
        }),
      done: t('investors.walletChanged'),
    }))
  }
}

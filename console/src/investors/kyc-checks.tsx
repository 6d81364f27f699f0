import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions, reasonField } from '../parts/actions.tsx'
import { type Column, timeColumn } from '../parts/columns.tsx'
import { JsonText } from '../parts/json-text.tsx'
import { RevealButton } from '../parts/reveal-button.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { State } from '../parts/state.tsx'
import { TableCard } from '../parts/table-card.tsx'

type Check = Schemas['KycCheck']

/** Results that KYC providers reported about an investor. Queued ones wait for an operator's decision. */
export function KycChecks({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const [details, setDetails] = useState<string>()
  const list = useList<Check>(['account', accountId, 'kyc-checks'], (page) =>
    api.get('/kyc-checks', { query: { account_id: accountId, ...page } }),
  )
  const columns = useColumns(setDetails)
  return (
    <TableCard title={t('kyc.checks')} list={list} emptyText={t('kyc.noChecks')} columns={columns}>
      {details !== undefined && (
        <SidePanel title={t('kyc.detailsTitle')} onClose={() => setDetails(undefined)}>
          <JsonText text={details} />
        </SidePanel>
      )}
    </TableCard>
  )
}

function useColumns(onReveal: (details: string) => void): Column<Check>[] {
  const { t } = useTranslation()
  const may = useMay()
  const actionsOf = useCheckActions()
  const reveal = async (checkId: string) => {
    const { details } = await api.post('/kyc-checks/{checkId}/reveal', { path: { checkId } })
    onReveal(JSON.stringify(details))
  }
  return [
    { id: 'outcome', header: t('kyc.outcome'), width: 140, cell: (check) => <Outcome {...check} /> },
    { id: 'provider', header: t('kyc.provider'), cell: (check) => <ProviderAndLevel {...check} /> },
    { id: 'status', header: t('orders.status'), width: 110, cell: ({ status }) => <State state={status} /> },
    timeColumn('received', t('kyc.received'), (one) => one.received_at),
    {
      id: 'actions',
      header: t('parts.actions'),
      width: 185,
      cell: (one) => (
        <div className="line" style={{ flexWrap: 'nowrap' }}>
          <Actions actions={actionsOf(one)} isCompact />
          {may('personal') && <RevealButton reveal={() => reveal(one.id)} />}
        </div>
      ),
    },
  ]
}

/** Shows the provider, its level, and why an approval was held back. */
function ProviderAndLevel({ provider_name: name, level_name: level, held_because: reason }: Check) {
  const { t } = useTranslation()
  const text = [name, ...(level === null ? [] : [level])].join(', ')
  return (
    <span title={text}>
      {text}
      {reason !== null && <State state="failed" label={t(`kyc.holdReasons.${reason}`)} />}
    </span>
  )
}

/** `KYB rejected`, and whether the investor can try again. */
function Outcome({ kind, outcome, is_final: isFinal }: Check) {
  const { t } = useTranslation()
  const text = `${kind.toUpperCase()} ${t(`kyc.outcomes.${outcome}`)}`
  const label = isFinal ? t('kyc.finally', { outcome: text }) : text
  return <State state={outcome} tone={outcome === 'approved' ? 'done' : 'failed'} label={label} />
}

function useCheckActions(): (check: Check) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, status, kind, outcome, account_name: name }) => {
    if (status !== 'queued' || !may('compliance')) return []
    const text = { name, kind: kind.toUpperCase(), to: outcome.toUpperCase() }
    const decision = (verb: 'accept' | 'dismiss'): Action => ({
      id: `${verb}-check`,
      label: t(`kyc.${verb}`),
      isDangerous: verb === 'accept' && outcome === 'rejected',
      consequence: t(`kyc.${verb}Text`, text),
      fields: [reasonField(t)],
      // The service rejects it if another person was faster.
      run: (key, { reason = '' }) =>
        api.post(`/kyc-checks/{checkId}/${verb}`, {
          path: { checkId: id },
          query: { expected_status: status },
          key,
          body: { reason },
        }),
      done: t(`kyc.${verb}Done`),
    })
    return [decision('accept'), decision('dismiss')]
  }
}

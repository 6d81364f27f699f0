import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Time } from '../parts/time.tsx'

type Distribution = Schemas['DistributionPreview']
type Proposal = Schemas['NamedChangeApproval']

/** Returns the proposed approval of a distribution, if one waits for a second person. */
export function useProposal({ id, status }: Distribution): Proposal | undefined {
  const { data } = useQuery({
    queryKey: ['approvals', 'cell', 'approveDistribution'],
    queryFn: () =>
      api.get('/approvals', { query: { state: ['pending'], operation: 'approveDistribution', limit: 100 } }),
    enabled: status === 'CALCULATED',
  })
  return status === 'CALCULATED' ? data?.results.find(({ subject_id: subject }) => subject === id) : undefined
}

/** Shows what blocks a distribution, if a person can resolve it. */
export function WaitsFor({ distribution, proposal }: { distribution: Distribution; proposal: Proposal | undefined }) {
  const { t } = useTranslation()
  const { user } = useMe()
  const may = useMay()
  const { status, failure, totals, holders_without_account: apart } = distribution
  const count = (state: string) => totals.find((one) => one.status === state)?.count ?? 0
  const returned = ['PAYING', 'CLOSED'].includes(status) ? count('returned') : 0
  return (
    <>
      {failure !== null && (
        <section className="card card-failed" role="alert">
          <strong>{t('distributions.failed')}</strong>
          <div>{failure}</div>
        </section>
      )}
      {proposal && (
        <section className="card card-attention">
          <div className="spread">
            <div>
              <strong>{t('distributions.waitsForApproval', { duty: proposal.confirm_duty })}</strong>
              <div className="small">
                {t('approvals.proposedBy')} {proposal.proposed_by_name ?? proposal.proposed_by},{' '}
                <Time time={proposal.proposed_at} isRelative />.{' '}
                {proposal.proposed_by === user.id
                  ? t('approvals.own')
                  : !may(proposal.confirm_duty, proposal.offering_id) &&
                    t('approvals.noDuty', { duty: proposal.confirm_duty })}
              </div>
            </div>
            <Link className="button-link nowrap" to="/approvals" search={{ open: `cell-${proposal.id}` }}>
              {t('distributions.openProposal')}
            </Link>
          </div>
        </section>
      )}
      {apart > 0 && status === 'CALCULATED' && (
        <section className="card card-attention">
          <strong>{t('distributions.apart', { count: apart })}</strong>
          <div>{t('distributions.apartText')}</div>
        </section>
      )}
      {returned > 0 && (
        <section className="card card-attention">
          <strong>{t('distributions.returned', { count: returned })}</strong>
          <div>{t('distributions.returnedText')}</div>
        </section>
      )}
    </>
  )
}

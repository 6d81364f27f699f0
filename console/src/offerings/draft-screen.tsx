import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { BackLink } from '../parts/back-link.tsx'
import { ObjectHeader } from '../parts/object-header.tsx'
import { ProblemCard } from '../parts/problem-card.tsx'
import { emptyDraft, valuesOf } from './draft.ts'
import { DraftWizard } from './draft-wizard.tsx'

const route = getRouteApi('/offerings/$offeringId/edit')

export function NewDraftScreen() {
  const { t } = useTranslation()
  const { chains } = useMe()
  return (
    <div className="page">
      <ObjectHeader breadcrumb={<BackLink to="/offerings" text={t('nav.offerings')} />} title={t('offerings.create')} />
      <DraftWizard initial={{ ...emptyDraft, blockchain: chains[0] ?? '' }} />
    </div>
  )
}

export function EditDraftScreen() {
  const { t } = useTranslation()
  const { offeringId } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['offering', offeringId],
    queryFn: () => api.get('/offerings/{offeringId}', { path: { offeringId } }),
  })
  return (
    <div className="page">
      {error && <ProblemCard problem={error} retry={() => void refetch()} />}
      {data && (
        <>
          <ObjectHeader
            breadcrumb={
              <>
                <BackLink to="/offerings" text={t('nav.offerings')} /> /{' '}
                <Link className="link" to="/offerings/$offeringId" params={{ offeringId }}>
                  {data.name}
                </Link>
              </>
            }
            title={data.name}
          />
          <DraftWizard initial={valuesOf(data)} offeringId={offeringId} />
        </>
      )}
    </div>
  )
}

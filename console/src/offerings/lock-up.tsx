import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Action, reasonField } from '../parts/actions.tsx'
import { Card } from '../parts/card.tsx'
import { Diff } from '../parts/diff.tsx'
import { Facts } from '../parts/facts.tsx'
import { Time } from '../parts/time.tsx'
import { unitsText } from '../parts/units.tsx'
import { timeText } from '../text/format.ts'
import { localTime } from './draft.ts'

type Offering = Schemas['OperatorOffering']

/** Shows until when units cannot change their owner, and what enforces this. */
export function LockUp({ offering }: { offering: Offering }) {
  const { t } = useTranslation()
  const may = useMay()
  const action = useLockUpAction(offering)
  const { lock_up_until: until, token_enforces_lock_up: isByToken } = offering
  return (
    <Card title={t('lockUp.title')} actions={may('offerings', offering.id) ? [action] : []}>
      <Facts
        facts={{
          [t('lockUp.until')]:
            until === null ? (
              t('lockUp.none')
            ) : (
              <>
                <Time time={until} />
                {new Date(until).getTime() < Date.now() && ` (${t('lockUp.over')})`}
              </>
            ),
          // Unknown until the token exists: a draft can still get either kind.
          ...(offering.token_address !== null && {
            [t('lockUp.enforcedBy')]: isByToken ? t('lockUp.byToken') : t('lockUp.byApproval'),
          }),
        }}
      />
    </Card>
  )
}

/** Proposes a lock-up, or its end. A second person always confirms. */
function useLockUpAction(offering: Offering): Action {
  const { t } = useTranslation()
  const { id, decimals, symbol, lock_up_until: until } = offering
  const current = until === null ? '' : localTime(new Date(until))
  const named = (value = '') => ({ [t('lockUp.until')]: value ? timeText(value) : t('lockUp.none') })
  return {
    id: 'lock-up',
    label: t('lockUp.set'),
    consequence: (
      <>
        <p>{t('lockUp.setText', { units: `${unitsText(offering.issued_units, decimals)} ${symbol}` })}</p>
        {offering.token_address !== null && (
          <p className="muted">{offering.token_enforces_lock_up ? t('lockUp.tokenText') : t('lockUp.approvalText')}</p>
        )}
      </>
    ),
    fields: [
      {
        name: 'until',
        label: t('lockUp.until'),
        kind: 'time',
        initial: current,
        hint: t('lockUp.untilHint'),
        isOptional: true,
      },
      reasonField(t),
    ],
    preview: (values) => <Diff before={named(current)} after={named(values['until'])} />,
    confirmLabel: t('lockUp.propose'),
    run: (key, { until: local, reason = '' }) =>
      api.post('/offerings/{offeringId}/lock-up', {
        path: { offeringId: id },
        key,
        body: { lock_up_until: local ? new Date(local).toISOString() : null, reason },
      }),
    done: t('lockUp.done'),
  }
}

import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import type { Action } from '../parts/actions.tsx'
import type { ActionField } from '../parts/field-input.tsx'
import { optionsOf } from '../parts/filter.ts'
import { offeringField, payerFields } from './distribution-draft.tsx'
import { accountOf, sourceOf, type Values, withholdingOf } from './distribution-terms.ts'

type Offering = Schemas['OperatorOffering']
type NewSchedule = Schemas['NewCouponSchedule']

const dayCounts = ['30/360', 'ACT/365', 'ACT/ACT_ICMA', 'ACT/ACT_ISDA'] as const
const moves = ['NONE', 'FOLLOWING', 'MODIFIED_FOLLOWING'] as const
const usual: Values = {
  day_count: 'ACT/ACT_ICMA',
  business_days: 'FOLLOWING',
  months: '12',
  record_days: '1',
  draft_days: '14',
}

/** Drafts a distribution for each period of a bond. */
export function useScheduleAction(offerings: readonly Offering[]): Action {
  const { t } = useTranslation()
  const [only] = offerings
  const initial: Values = { ...usual, ...(only && offerings.length === 1 && accountOf(only)) }
  const field = (
    name: Exclude<keyof NewSchedule, 'source_account' | 'withholding'>,
    kind: ActionField['kind'],
    more: Partial<ActionField> = {},
  ): ActionField => ({ name, kind, label: t(`schedules.${name}`), initial: initial[name] ?? '', ...more })
  return {
    id: 'schedule',
    label: t('schedules.create'),
    consequence: t('schedules.createText'),
    isWide: true,
    fields: [
      ...(offerings.length === 1 ? [] : [offeringField(offerings, t)]),
      field('rate_percent', 'text'),
      field('nominal_per_token', 'text'),
      field('currency', 'text'),
      field('months', 'choice', {
        options: (['1', '3', '6', '12'] as const).map((value) => ({ value, label: t(`schedules.every.${value}`) })),
      }),
      field('interest_from', 'day'),
      field('first_pays_on', 'day'),
      field('matures_on', 'day'),
      field('day_count', 'choice', { options: optionsOf(dayCounts) }),
      field('business_days', 'choice', {
        options: moves.map((value) => ({ value, label: t(`schedules.moves.${value}`) })),
      }),
      field('record_days', 'text', { hint: t('schedules.recordHint') }),
      field('draft_days', 'text', { hint: t('schedules.draftHint') }),
      ...payerFields(initial, t),
    ],
    derived: (changed, values) => {
      const offering = changed === 'offering_id' && offerings.find(({ id }) => id === values['offering_id'])
      return offering ? accountOf(offering) : {}
    },
    run: (key, values) =>
      api.post('/offerings/{offeringId}/coupon-schedules', {
        path: { offeringId: values['offering_id'] ?? only?.id ?? '' },
        key,
        body: scheduleOf(values),
      }),
    done: t('schedules.created'),
  }
}

function scheduleOf(values: Values): NewSchedule {
  const text = (name: keyof NewSchedule) => (values[name] ?? '').trim()
  return {
    currency: text('currency').toUpperCase(),
    nominal_per_token: text('nominal_per_token'),
    rate_percent: text('rate_percent'),
    day_count: text('day_count') as NewSchedule['day_count'],
    business_days: text('business_days') as NewSchedule['business_days'],
    interest_from: text('interest_from'),
    first_pays_on: text('first_pays_on'),
    months: Number(text('months')),
    matures_on: text('matures_on'),
    record_days: Number(text('record_days')),
    draft_days: Number(text('draft_days')),
    source_account: sourceOf(values),
    withholding: withholdingOf(text('withholding')),
  }
}

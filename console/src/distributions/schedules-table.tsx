import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type ListPage, onlyPage, type PageParameters, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { useOfferings } from '../offerings/use-offerings.ts'
import type { Action } from '../parts/actions.tsx'
import { actionsColumn, type Column, figureColumn, moneyColumn } from '../parts/columns.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { formatDecimal } from '../parts/decimal.ts'
import { State } from '../parts/state.tsx'
import { dayLabel } from '../text/format.ts'
import { rateText } from './distribution-terms.ts'

type Schedule = Schemas['CouponSchedule']

const fetchSchedules = (query: PageParameters) => api.get('/coupon-schedules', { query })

/** Coupon schedules of all offerings, or of one. */
export function SchedulesTable({ offering }: { offering?: Schemas['OperatorOffering'] }) {
  const { t } = useTranslation()
  const list = useList<Schedule>(['coupon-schedules', offering?.id ?? 'all'], (page) =>
    offering ? schedulesOf(offering.id) : fetchSchedules(page),
  )
  const columns = useColumns()
  return (
    <DataTable
      label={t('schedules.title')}
      list={list}
      columns={columns}
      hidden={offering ? 'offering' : ''}
      isShort={offering !== undefined}
      emptyText={t('schedules.empty')}
    />
  )
}

/** Reads all pages of an offering's schedules, which are few. */
async function schedulesOf(offeringId: string): Promise<ListPage<Schedule>> {
  const results: Schedule[] = []
  let cursor: string | null | undefined
  do {
    const page = await fetchSchedules({ limit: 100, ...(cursor && { cursor }) })
    results.push(...page.results.filter(({ offering_id: id }) => id === offeringId))
    const { next } = page.pagination
    cursor = next === null ? null : new URL(next, location.origin).searchParams.get('cursor')
  } while (cursor)
  return onlyPage(results)
}

function useColumns(): Column<Schedule>[] {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  const offerings = useOfferings()
  const actionsOf = useScheduleActions()
  return [
    {
      id: 'offering',
      header: t('orders.offering'),
      cell: ({ offering_id: offeringId }) => (
        <Link className="link" to="/offerings/$offeringId" params={{ offeringId }} search={{ tab: 'distributions' }}>
          {offerings.find(({ id }) => id === offeringId)?.name ?? t('orders.openOffering')}
        </Link>
      ),
    },
    figureColumn('rate', t('schedules.interest'), 90, ({ rate_percent: rate }) => `${formatDecimal(rate, language)} %`),
    moneyColumn('nominal', t('schedules.nominal_per_token'), 150, (one) => one.nominal_per_token),
    {
      id: 'months',
      header: t('schedules.months'),
      width: 130,
      cell: ({ months }) => t(`schedules.every.${months as 12}`),
    },
    { id: 'next', header: t('schedules.next'), width: 220, cell: (one) => <NextPeriod {...one} /> },
    { id: 'matures', header: t('schedules.matures_on'), width: 115, cell: ({ matures_on: day }) => dayLabel(day) },
    { id: 'status', header: t('orders.status'), width: 95, cell: ({ status }) => <State state={status} /> },
    actionsColumn(t('parts.actions'), 160, actionsOf),
  ]
}

function NextPeriod({ next_period: next, currency }: Schedule) {
  const { t, i18n } = useTranslation()
  if (!next) return <span className="muted">–</span>
  return t('schedules.nextText', {
    number: next.number,
    day: dayLabel(next.pay_on),
    rate: rateText(next.rate_per_token, currency, i18n.language),
  })
}

function useScheduleActions(): (schedule: Schedule) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, status, offering_id: offeringId }) => {
    if (status !== 'active' || !may('money', offeringId)) return []
    return [
      {
        id: 'end',
        label: t('schedules.end'),
        isDangerous: true,
        consequence: t('schedules.endText'),
        run: (key) => api.post('/coupon-schedules/{scheduleId}/end', { path: { scheduleId: id }, key }),
        done: t('schedules.ended'),
      },
    ]
  }
}

import { Type } from 'typebox'
import { CalendarDate, Closed } from '../../../platform/api/declare/fields.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { OfferingSeries } from '../summary.schema.ts'
import { findOfferingCurrency, selectDailySums } from '../summary.sql.ts'
import { viewSeriesDay } from '../summary.view.ts'

const dayMs = 86_400_000
const daysDefault = 30
/** Days of a leap year. */
const daysMax = 366
/** PostgreSQL has no year 0. */
const firstDay = Date.parse('0001-01-01')

export const listSeries = operatorOperation(
  {
    ...readOne,
    id: 'listSeries',
    summary: 'List what happened on each day',
    description:
      'Orders, units and money of an offering by UTC day: what was ordered, paid, minted, cancelled, received and ' +
      `refunded. At most ${daysMax} days; by default the last ${daysDefault}. Days on which nothing happened are ` +
      'left out.',
    tag: 'Offerings',
    path: '/offerings/:offeringId/series',
    duty: 'read',
    params: OfferingPath,
    query: Closed({
      from: Type.Optional(CalendarDate('The first day, in UTC.')),
      to: Type.Optional(CalendarDate('The last day, in UTC; by default today.')),
    }),
    success: { status: 200, body: OfferingSeries },
  },
  async ({ params, query }, { tenantId, tx, now }) => {
    const key = { tenantId, ...params }
    const range = rangeOf(query, now)
    const [offering, rows] = await tx.batch(
      (tx) => findOfferingCurrency(tx, key),
      (tx) => selectDailySums(tx, key, range),
    )
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    const { currency } = offering
    return {
      offering_id: params.offeringId,
      currency,
      ...range,
      days: rows.map((row) => viewSeriesDay(row, currency)),
    }
  },
)

function rangeOf(query: { from?: string; to?: string }, now: Date): { from: string; to: string } {
  const to = query.to ?? dayOf(now)
  const from = query.from ?? dayOf(new Date(Math.max(Date.parse(to) - (daysDefault - 1) * dayMs, firstDay)))
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1)
    throw validationFailed([{ parameter: 'from', detail: `The query parameter from must not be after ${to}.` }])
  if (days > daysMax)
    throw validationFailed([
      { parameter: 'from', detail: `The query parameters from and to may span ${daysMax} days at most, not ${days}.` },
    ])
  return { from, to }
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

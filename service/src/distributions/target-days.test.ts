import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, weekdayOf } from './calendar-date.ts'
import { adjustToTarget, isTargetDay, targetDaysBefore } from './target-days.ts'

/**
 * ECB, "TARGET closing days" (press release of 14 December 2000, "TARGET long-term calendar", and its yearly lists at
 * https://www.ecb.europa.eu/press/calendars/target): the closing days that are not a Saturday or Sunday.
 */
const closingDays = `
  2023-04-07 2023-04-10 2023-05-01 2023-12-25 2023-12-26
  2024-01-01 2024-03-29 2024-04-01 2024-05-01 2024-12-25 2024-12-26
  2025-01-01 2025-04-18 2025-04-21 2025-05-01 2025-12-25 2025-12-26
  2026-01-01 2026-04-03 2026-04-06 2026-05-01 2026-12-25
  2027-01-01 2027-03-26 2027-03-29
`
  .trim()
  .split(/\s+/)

test("TARGET is closed on the ECB's closing days of 2023 to 2027, and on no other weekday", () => {
  const closed: string[] = []
  for (let date = '2023-01-01'; date < '2028-01-01'; date = addDays(date, 1))
    if (weekdayOf(date) <= 5 && !isTargetDay(date)) closed.push(date)
  assert.deepEqual(closed, closingDays)
})

test('a date on which TARGET is closed moves by its rule (2006 ISDA Definitions, section 4.12)', () => {
  // Easter Sunday 2024, between Good Friday and Easter Monday, is the last day of March.
  assert.equal(adjustToTarget('2024-03-31', 'FOLLOWING'), '2024-04-02')
  assert.equal(adjustToTarget('2024-03-31', 'MODIFIED_FOLLOWING'), '2024-03-28')
  assert.equal(adjustToTarget('2024-03-31', 'NONE'), '2024-03-31')
  assert.equal(adjustToTarget('2024-05-01', 'MODIFIED_FOLLOWING'), '2024-05-02')
  assert.equal(adjustToTarget('2026-06-30', 'MODIFIED_FOLLOWING'), '2026-06-30')
})

test('business days before a date skip weekends and closing days', () => {
  assert.equal(targetDaysBefore('2024-04-03', 2), '2024-03-28')
  assert.equal(targetDaysBefore('2024-04-03', 0), '2024-04-03')
})

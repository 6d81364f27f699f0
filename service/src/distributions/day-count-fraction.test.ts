import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DayCount, dayCountFraction, type RegularPeriods } from './day-count-fraction.ts'

const yearly: RegularPeriods = { anchor: '2000-01-01', months: 12 }

function fraction(dayCount: DayCount, from: string, to: string, regular = yearly): string {
  const { numerator, denominator } = dayCountFraction(dayCount, { from, to }, regular)
  return (Number(numerator) / Number(denominator)).toFixed(10)
}

/**
 * ISDA, "EMU and Market Conventions: Recent Developments" (BS:9951.1, 20 November 1998), the example calculations of
 * the actual/actual methods: period, regular payment dates, then the fractions by ISDA and by ISMA (today ICMA). They
 * were compared with QuantLib's test of day counters, which quotes them. For 2003-07-15 QuantLib notes that the
 * memorandum prints another fraction by ISDA; this one follows from the rule, 170/365 + 14/366.
 */
const memorandum = [
  ['2003-11-01', '2004-05-01', { anchor: '2003-11-01', months: 6 }, '0.4977243806', '0.5000000000'],
  ['1999-02-01', '1999-07-01', { anchor: '1999-07-01', months: 12 }, '0.4109589041', '0.4109589041'],
  ['1999-07-01', '2000-07-01', { anchor: '1999-07-01', months: 12 }, '1.0013773486', '1.0000000000'],
  ['2002-08-15', '2003-07-15', { anchor: '2003-07-15', months: 6 }, '0.9150684932', '0.9157608696'],
  ['2003-07-15', '2004-01-15', { anchor: '2003-07-15', months: 6 }, '0.5040047908', '0.5000000000'],
  ['1999-07-30', '2000-01-30', { anchor: '1999-07-30', months: 6 }, '0.5038925069', '0.5000000000'],
  ['2000-01-30', '2000-06-30', { anchor: '2000-01-30', months: 6 }, '0.4153005464', '0.4175824176'],
  // The payment dates are the last days of months: the regular period ends on 31 May.
  ['1999-11-30', '2000-04-30', { anchor: '1999-11-30', months: 3 }, '0.4155400853', '0.4157608696'],
] as const

/**
 * ISDA, "30/360 day count conventions" (30-360-2006ISDADefs, 22 December 2008): days by 30/360 (Bond Basis). The periods with
 * ends of February are its second example, as QuantLib's test quotes it.
 */
const bondBasis = [
  ['2007-01-15', '2007-01-30', 15],
  ['2007-01-15', '2007-02-15', 30],
  ['2007-01-15', '2007-07-15', 180],
  ['2007-09-30', '2008-03-31', 180],
  ['2007-09-30', '2007-10-31', 30],
  ['2007-09-30', '2008-09-30', 360],
  ['2007-01-15', '2007-01-31', 16],
  ['2007-01-31', '2007-02-28', 28],
  ['2007-02-28', '2007-03-31', 33],
  ['2006-08-31', '2007-02-28', 178],
  ['2007-02-28', '2007-08-31', 183],
  ['2007-02-14', '2007-02-28', 14],
  ['2007-02-26', '2008-02-29', 363],
  ['2008-02-29', '2009-02-28', 359],
  ['2008-02-29', '2008-03-30', 31],
  ['2008-02-29', '2008-03-31', 32],
  ['2007-02-28', '2007-03-05', 7],
  ['2007-10-31', '2007-11-28', 28],
  ['2007-08-31', '2008-02-29', 179],
  ['2008-02-29', '2008-08-31', 182],
  ['2008-08-31', '2009-02-28', 178],
  ['2009-02-28', '2009-08-31', 183],
] as const

describe('the fraction of a year that a period earns', () => {
  for (const [from, to, regular, isda, icma] of memorandum)
    test(`${from} to ${to} is ${isda} by ACT/ACT ISDA and ${icma} by ACT/ACT ICMA, as ISDA's memorandum says`, () => {
      assert.equal(fraction('ACT/ACT_ISDA', from, to), isda)
      assert.equal(fraction('ACT/ACT_ICMA', from, to, regular), icma)
    })

  test("30/360 counts the days of ISDA's examples", () => {
    const counted = bondBasis.map(([from, to]) => {
      const { numerator, denominator } = dayCountFraction('30/360', { from, to }, yearly)
      return [from, to, Number((numerator * 360n) / denominator)]
    })
    assert.deepEqual(counted, bondBasis)
  })

  test('ACT/365 divides by 365 also in a leap year (2006 ISDA Definitions, section 4.16 d)', () => {
    assert.equal(fraction('ACT/365', '2003-11-01', '2004-05-01'), (182 / 365).toFixed(10))
    assert.equal(fraction('ACT/365', '2004-01-01', '2005-01-01'), (366 / 365).toFixed(10))
  })

  test('ISDA divides the days of a leap year by 366 and the others by 365, as its memorandum writes them out', () => {
    // The sums behind the fractions above: 61/365 + 121/366, 184/365 + 182/366, 155/365 + 29/366.
    for (const [from, to, inYear, inLeapYear] of [
      ['2003-11-01', '2004-05-01', 61n, 121n],
      ['1999-07-01', '2000-07-01', 184n, 182n],
      ['1999-07-30', '2000-01-30', 155n, 29n],
    ] as const) {
      const { numerator, denominator } = dayCountFraction('ACT/ACT_ISDA', { from, to }, yearly)
      assert.equal(numerator * 365n * 366n, denominator * (inYear * 366n + inLeapYear * 365n), from)
    }
  })

  test('a regular date before or far after the period gives the same fraction', () => {
    const near = fraction('ACT/ACT_ICMA', '2002-08-15', '2003-07-15', { anchor: '2003-07-15', months: 6 })
    for (const anchor of ['1990-01-15', '2030-07-15'])
      assert.equal(fraction('ACT/ACT_ICMA', '2002-08-15', '2003-07-15', { anchor, months: 6 }), near)
  })
})

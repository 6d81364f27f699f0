import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Account, ApiError, Event, KnownErrorCode, NewOrder, Offering, Order, WalletBalance } from '../src/sdk.ts'

// The compiler runs these: a line that is wrong fails `npm run check`, and so does one that expects an error in vain.

// The compiler compares two generic functions member by member, which is the only way to tell an open enum from text.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const holds = <_ extends true>() => {}

describe('types', () => {
  test('units are bigint, in and out', () => {
    holds<Equal<NewOrder['units'], bigint>>()
    holds<Equal<Order['units'], bigint>>()
    holds<Equal<WalletBalance['balance'], bigint>>()
    holds<Equal<Offering['min_units'], bigint | null>>()
    holds<Equal<Order['total_amount'], number>>()
    // @ts-expect-error: text is not units
    const wrong: NewOrder = { account_id: 'a', units: '1' }
    assert.ok(wrong)
  })

  test('enums of answers are open to new values, and still suggest the known ones', () => {
    const known: Order['status'] = 'ORDERED'
    const unknown: Order['status'] = 'A_STATUS_OF_TOMORROW'
    const event: Event['type'] = 'order.teleported'
    const approval: Account['kyc']['status'] = 'LOST'
    // An open enum is not just any text: then the known values would have vanished.
    holds<Equal<Equal<Order['status'], string>, false>>()
    assert.equal(new Set([known, unknown, event, approval]).size, 4)
  })

  test('enums of requests are closed', () => {
    // @ts-expect-error: there is no such provider
    const wrong: NewOrder = { account_id: 'a', units: 1n, payment_provider: 'barter' }
    assert.ok(wrong)
  })

  test('an error is narrowed by its code', () => {
    const narrow = (error: ApiError) => {
      if (error.is('offering_sold_out', 'offering_not_open')) {
        holds<Equal<typeof error.code, 'offering_sold_out' | 'offering_not_open'>>()
        return 'sold'
      }
      return 'else'
    }
    // @ts-expect-error: there is no such code
    const misspelled = (error: ApiError) => error.is('offering_soldout')
    holds<Equal<'offering_sold_out' extends KnownErrorCode ? true : false, true>>()
    assert.deepEqual([typeof narrow, typeof misspelled], ['function', 'function'])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type {
  Account,
  AccountChange,
  ApiError,
  Event,
  KnownErrorCode,
  NewAccount,
  NewOrder,
  Offering,
  Order,
  WalletBalance,
} from '../src/sdk.ts'
import { person } from './harness/world.ts'

// These are compile-time tests: `npm run check` fails on a type error, and on an @ts-expect-error without one.

// Comparing two generic functions is the only way to distinguish an open enum from string.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const assertType = <_ extends true>() => {}

describe('types', () => {
  test('units are bigint in requests and responses', () => {
    assertType<Equal<NewOrder['units'], bigint>>()
    assertType<Equal<Order['units'], bigint>>()
    assertType<Equal<WalletBalance['balance'], bigint>>()
    assertType<Equal<Offering['min_units'], bigint | null>>()
    assertType<Equal<Order['total_amount'], number>>()
    // @ts-expect-error: units must be a bigint
    const wrong: NewOrder = { account_id: 'a', units: '1' }
    assert.ok(wrong)
  })

  test('enums in responses accept new values and still suggest the known ones', () => {
    const known: Order['status'] = 'ORDERED'
    const unknown: Order['status'] = 'A_NEW_STATUS'
    const event: Event['type'] = 'order.teleported'
    const approval: Account['kyc']['status'] = 'LOST'
    // An open enum must not collapse to string, or editors could not suggest the known values.
    assertType<Equal<Equal<Order['status'], string>, false>>()
    assert.equal(new Set([known, unknown, event, approval]).size, 4)
  })

  test('enums in requests are closed', () => {
    // @ts-expect-error: unknown provider
    const wrong: NewOrder = { account_id: 'a', units: 1n, payment_provider: 'barter' }
    assert.ok(wrong)
  })

  test('an order may have a null payment_provider, and no other unknown member', () => {
    const order: NewOrder = { account_id: 'a', units: 1n, payment_provider: null }
    // @ts-expect-error: unknown member
    const wrong: NewOrder = { account_id: 'a', units: 1n, payment_method: null }
    assert.ok(order && wrong)
  })

  test('a request with a wrong status, both approvals, or the object of another type does not compile', () => {
    const { individual, communication, bank_account, is_beneficiary } = person
    const rest = { communication, bank_account, is_beneficiary }
    const { country, phone, street, city, zip, state } = individual
    const registered = { registration_number: 'a', legal_form: 'b', vat_id: 'c', incorporation_date: '2001-12-31' }
    const company = { name: 'd', ...registered, country, phone, street, city, zip, state }
    const valid: NewAccount[] = [
      { ...rest, type: 'INDIVIDUAL', individual, kyc: { status: 'NEW' } },
      { ...rest, type: 'COMPANY', company, kyb: {} },
      { ...rest, type: 'COMPANY', company },
    ]
    const changes: AccountChange[] = [{}, { kyc: { status: 'APPROVED' } }, { communication, kyb: { status: 'NEW' } }]
    const wrong: (NewAccount | AccountChange)[] = [
      // @ts-expect-error: unknown status
      { ...rest, type: 'INDIVIDUAL', individual, kyc: { status: 'ACCEPTED' } } satisfies NewAccount,
      // @ts-expect-error: unknown status
      { kyc: { status: 'ACCEPTED' } } satisfies AccountChange,
      // @ts-expect-error: kyc and kyb
      { kyc: { status: 'NEW' }, kyb: { status: 'NEW' } } satisfies AccountChange,
      // @ts-expect-error: kyc and kyb
      { ...rest, type: 'INDIVIDUAL', individual, kyc: {}, kyb: {} } satisfies NewAccount,
      // @ts-expect-error: INDIVIDUAL without individual
      { ...rest, type: 'INDIVIDUAL' } satisfies NewAccount,
      // @ts-expect-error: INDIVIDUAL with company
      { ...rest, type: 'INDIVIDUAL', company } satisfies NewAccount,
      // @ts-expect-error: both objects
      { ...rest, type: 'COMPANY', company, individual } satisfies NewAccount,
      // @ts-expect-error: unknown type
      { ...rest, type: 'TRUST', company } satisfies NewAccount,
    ] as never
    assert.deepEqual([valid.length, changes.length, wrong.length], [3, 3, 8])
  })

  test('error.is narrows the type of code', () => {
    const narrow = (error: ApiError) => {
      if (error.is('offering_sold_out', 'offering_not_open')) {
        assertType<Equal<typeof error.code, 'offering_sold_out' | 'offering_not_open'>>()
        return 'sold'
      }
      return 'else'
    }
    // @ts-expect-error: unknown code
    const misspelled = (error: ApiError) => error.is('offering_soldout')
    assertType<Equal<'offering_sold_out' extends KnownErrorCode ? true : false, true>>()
    assert.deepEqual([typeof narrow, typeof misspelled], ['function', 'function'])
  })
})

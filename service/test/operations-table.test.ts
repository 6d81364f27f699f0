import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { operations } from '../src/operations.ts'
import { assertDeclared } from '../src/platform/api/declare/assert-declared.ts'
import { operation } from '../src/platform/api/declare/operation.ts'
import { scopes } from '../src/platform/api/declare/scopes.ts'

/** Written by hand from the contract: method, path, scopes (any of), idempotency key, success status. */
const contract = [
  'POST /auth | public | none | 200',
  'POST /accounts | account.create | required | 201',
  'GET /accounts | account.read | none | 200',
  'GET /accounts/:accountId | account.read | none | 200',
  'PATCH /accounts/:accountId | account.update | required | 200',
  'POST /accounts/:accountId/benefiting-persons | account.update or account.create | required | 201',
  'GET /accounts/:accountId/benefiting-persons | account.read | none | 200',
  'GET /accounts/:accountId/orders | order.read | none | 200',
  'GET /accounts/:accountId/transactions | wallet.read or account.read | none | 200',
  'GET /accounts/:accountId/entitlements | wallet.read or account.read | none | 200',
  'GET /accounts/:accountId/wallets | wallet.read | none | 200',
  'GET /accounts/:accountId/wallets/balances | wallet.read | none | 200',
  'GET /accounts/:accountId/wallets/:walletId | wallet.read | none | 200',
  'POST /accounts/:accountId/wallets | account.update | optional | 201',
  'POST /accounts/:accountId/wallets/:walletId/challenge | account.update | optional | 200',
  'POST /accounts/:accountId/wallets/:walletId/prove | account.update | optional | 200',
  'POST /accounts/:accountId/register-extracts | account.update | optional | 201',
  'GET /accounts/:accountId/register-extracts | account.read | none | 200',
  'GET /accounts/:accountId/register-extracts/:extractId | account.read | none | 200',
  'GET /accounts/:accountId/eligibility/:offeringId | account.read | none | 200',
  'POST /accounts/:accountId/eligibility/:offeringId/documents/:documentId/accept | account.update | optional | 200',
  'POST /accounts/:accountId/eligibility/:offeringId/questionnaire | account.update | optional | 200',
  'GET /offerings | offering.read | none | 200',
  'GET /offerings/:offeringId | offering.read | none | 200',
  'POST /offerings/:offeringId/orders | order.create | optional | 201',
  'GET /offerings/:offeringId/orders | order.read | none | 200',
  'GET /offerings/:offeringId/orders/:orderId | order.read | none | 200',
  'PATCH /offerings/:offeringId/orders/:orderId/cancel | order.update or order.delete | none | 200',
  'POST /transfers | order.create | optional | 201',
  'GET /transfers | order.read | none | 200',
  'GET /transfers/:transferId | order.read | none | 200',
  'POST /transfers/:transferId/cancel | order.update or order.delete | none | 200',
  'GET /events | account.read or offering.read or order.read or wallet.read | none | 200',
  `GET /requests | ${scopes.join(' or ')} | none | 200`,
  'POST /payment-notifications/:providerId | signature | none | 200',
  'POST /kyc-notifications/:providerId | signature | none | 200',
]

describe('the operations table', () => {
  test('R003: matches the contract exactly', () => {
    const rows = operations.map(({ header: { method, path, idempotency, success, ...header } }) =>
      [
        `${method} ${path}`,
        typeof header.scopes === 'string' ? header.scopes : header.scopes.join(' or '),
        idempotency,
        success.status,
      ].join(' | '),
    )
    assert.deepEqual(rows, contract)
  })

  const valid = {
    id: 'x',
    summary: 'x',
    method: 'GET',
    path: '/x/:id',
    scopes: ['order.read'],
    idempotency: 'none',
    params: Type.Object({ id: Type.String() }),
    success: { status: 200, body: Type.Object({}) },
    errors: [],
  } as const
  const declared = (change: Record<string, unknown>) =>
    operation({ ...valid, ...change } as typeof valid, async () => ({}))

  test('a complete declaration is accepted', () => {
    assertDeclared([declared({})])
  })

  for (const [defect, change, message] of [
    ['no scope', { scopes: undefined }, /declares no scope/],
    ['an empty list of scopes', { scopes: [] }, /declares no scope/],
    ['no list of errors', { errors: undefined }, /declares no list of errors/],
    ['no idempotency mode', { idempotency: undefined }, /declares no idempotency mode/],
    ['no response schema', { success: { status: 200 } }, /declares no response schema/],
    ['a key on a GET', { idempotency: 'required' }, /cannot take an idempotency key/],
    ['a path parameter that it does not declare', { path: '/x/:other' }, /path parameters other and declares id/],
  ] as const)
    test(`the server does not start if an operation has ${defect}`, () => {
      assert.throws(() => assertDeclared([declared(change)]), message)
    })

  test('the server does not start if two operations have the same id or the same method and path', () => {
    assert.throws(() => assertDeclared([declared({}), declared({ id: 'y' })]), /GET \/x\/:id is declared twice/)
    assert.throws(() => assertDeclared([declared({}), declared({ method: 'PATCH' })]), /x is declared twice/)
  })
})

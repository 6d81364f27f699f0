// Made by `npm run sdk:generate` from service/openapi.json. Do not edit.

export const apiVersion = '2026-07-02'

export const allScopes = [
  'offering.read',
  'account.create',
  'account.read',
  'account.update',
  'wallet.read',
  'order.create',
  'order.read',
  'order.update',
  'order.delete',
] as const

export const keyHeader = 'X-Idempotency-Key'

export interface Operation {
  readonly method: string
  readonly path: string
  /** Whether it takes an idempotency key. */
  readonly takesKey: boolean
}

export const operations = {
  authenticate: { method: 'POST', path: '/auth', takesKey: false },
  createAccount: { method: 'POST', path: '/accounts', takesKey: true },
  listAccounts: { method: 'GET', path: '/accounts', takesKey: false },
  getAccount: { method: 'GET', path: '/accounts/{accountId}', takesKey: false },
  updateAccount: { method: 'PATCH', path: '/accounts/{accountId}', takesKey: true },
  createBenefitingPerson: { method: 'POST', path: '/accounts/{accountId}/benefiting-persons', takesKey: true },
  listBenefitingPersons: { method: 'GET', path: '/accounts/{accountId}/benefiting-persons', takesKey: false },
  listAccountOrders: { method: 'GET', path: '/accounts/{accountId}/orders', takesKey: false },
  listTransactions: { method: 'GET', path: '/accounts/{accountId}/transactions', takesKey: false },
  listWallets: { method: 'GET', path: '/accounts/{accountId}/wallets', takesKey: false },
  listWalletBalances: { method: 'GET', path: '/accounts/{accountId}/wallets/balances', takesKey: false },
  getWallet: { method: 'GET', path: '/accounts/{accountId}/wallets/{walletId}', takesKey: false },
  listOfferings: { method: 'GET', path: '/offerings', takesKey: false },
  getOffering: { method: 'GET', path: '/offerings/{offeringId}', takesKey: false },
  createOrder: { method: 'POST', path: '/offerings/{offeringId}/orders', takesKey: true },
  listOfferingOrders: { method: 'GET', path: '/offerings/{offeringId}/orders', takesKey: false },
  getOrder: { method: 'GET', path: '/offerings/{offeringId}/orders/{orderId}', takesKey: false },
  cancelOrder: { method: 'PATCH', path: '/offerings/{offeringId}/orders/{orderId}/cancel', takesKey: false },
  listEvents: { method: 'GET', path: '/events', takesKey: false },
  listRequests: { method: 'GET', path: '/requests', takesKey: false },
  simulatePayment: { method: 'POST', path: '/simulations/orders/{orderId}/payments', takesKey: true },
  simulatePaymentDeadline: { method: 'POST', path: '/simulations/orders/{orderId}/payment-deadline', takesKey: true },
  simulateDecision: { method: 'POST', path: '/simulations/accounts/{accountId}/decision', takesKey: true },
  simulateWallet: { method: 'POST', path: '/simulations/accounts/{accountId}/wallets', takesKey: true },
  simulateMintFailure: { method: 'POST', path: '/simulations/offerings/{offeringId}/mint-failure', takesKey: false },
  simulateReorganisation: { method: 'POST', path: '/simulations/reorganisation', takesKey: false },
  simulateTransfer: { method: 'POST', path: '/simulations/transfers', takesKey: true },
  advanceClock: { method: 'POST', path: '/simulations/clock', takesKey: true },
} as const satisfies Record<string, Operation>

/** The members that hold units of a token: text on the wire, bigint here. */
export const unitMembers: ReadonlySet<string> = new Set([
  'available_units',
  'balance',
  'max_units',
  'min_units',
  'total_units',
  'units',
])

/** The codes that the document names; see `ErrorCode`. */
export type KnownErrorCode =
  | 'account_not_approved'
  | 'idempotency_in_progress'
  | 'insufficient_scope'
  | 'internal_error'
  | 'invalid_client'
  | 'not_found'
  | 'offering_not_open'
  | 'offering_sold_out'
  | 'order_not_cancellable'
  | 'payload_too_large'
  | 'rate_limited'
  | 'scope_not_granted'
  | 'signature_invalid'
  | 'simulation_not_possible'
  | 'token_expired'
  | 'token_invalid'
  | 'token_missing'
  | 'token_revoked'
  | 'unavailable'
  | 'unsupported_media_type'
  | 'validation_failed'

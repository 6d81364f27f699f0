import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorClient } from '../callers/operator-client.ts'
import { confirmAs } from '../callers/second-person.ts'
import { WalletOwner } from '../chain/wallet-owner.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import { camt053 } from '../money/camt053.ts'
import { standardHeaders, stripeHeaders } from '../servers/payment-provider.ts'
import type { Attack, AttackResult } from './attack.ts'
import type { AttackStack } from './attack-stack.ts'

export const madeUpPayment: Attack = {
  name: 'one clerk records a payment of a million for an order of 12.50 and pays it out',
  isShort: true,
  run: async (stack) => {
    const clerk = await LoneClerk.of(stack)
    const record = (amount: string) =>
      clerk.client.post(`/orders/${clerk.order.orderId}/payments`, clerk.payment(amount))
    await clerk.tries('a million', await record('1000000.00'), 'payment_exceeds_order')
    await clerk.tries('the whole order', await record('12.50'), 'waits')
    return clerk.result()
  },
}

/** A worker that matches the entry takes milliseconds. */
const workerMs = 1_500

export const forgedStatement: Attack = {
  name: 'one clerk imports a forged bank statement with a credit of a million',
  isShort: true,
  run: async (stack) => {
    await stack.worker()
    const clerk = await LoneClerk.of(stack)
    const entries = [{ amount: '1000000.00', creditorReference: clerk.order.reference }]
    const upload = await clerk.client.upload('/statements', camt053({ entries }))
    if (upload.status !== 201) throw new Error(`the upload got ${upload.status}: ${upload.text}`)
    const { id } = upload.body.statements[0]
    await clerk.tries('booking it', await clerk.client.post(`/statements/${id}/book`), 'waits')
    await sleep(workerMs)
    return clerk.result()
  },
}

const secret = `whsec_${randomBytes(24).toString('base64')}`

export const shownToken: Attack = {
  name: "the person who was shown a service user's token imports a forged bank statement with it",
  isShort: true,
  run: async (stack) => {
    await stack.worker()
    const { installation } = stack
    const [tenant, api] = [await stack.tenant(), await stack.operatorApi()]
    const { orderId, reference } = await stack.order(tenant)
    await installation.useDefaultPolicies(tenant.id)
    const [ada, grace] = [await installation.createOperator(tenant.id), await installation.createOperator(tenant.id)]
    const asAda = (path: string, body: object) => api.call('POST', path, { cookie: ada.cookie, body })
    const duties = [{ duty: 'read' }, { duty: 'money' }]
    const created = await asAda('/service-users', { name: 'bank fetcher', duties })
    const { id: userId } = (await confirmAs(api, grace, created, 'directory')).body.result
    const proposed = await asAda(`/service-users/${userId}/tokens`, { name: 'fetcher', expires_in_days: 90 })
    const { token } = (await confirmAs(api, grace, proposed, 'directory')).body.result
    const entries = [{ amount: '125.00', text: reference }]
    const headers = { 'content-type': 'application/xml' }
    const { body } = await api.call('POST', '/statements', { token, body: camt053({ entries }), headers })
    const [{ id, waits_for_booking: waits }] = body.statements
    const proposal = await api.call('POST', `/statements/${id}/book`, { token })
    const confirmed = proposal.status === 202 ? (await confirmAs(api, grace, proposal)).body.error?.code : 'not needed'
    await sleep(workerMs)
    const { status } = (await api.call('GET', `/orders/${orderId}`, { token: ada.token })).body
    const observed = `the statement ${waits ? 'waits' : 'is booked'}, confirming it alone: ${confirmed}, order ${status}`
    return { isDefended: waits && confirmed === 'second_person_required' && status === 'ORDERED', observed }
  },
}

export const madeUpProvider: Attack = {
  name: 'one admin creates a payment provider and signs notifications in its name',
  isShort: true,
  run: async (stack) => {
    const clerk = await LoneClerk.of(stack)
    const create = (body: object) => clerk.client.post('/payment-providers', body)
    const stripe = await create({ kind: 'stripe', secret })
    await clerk.tries('Stripe with a secret of theirs', stripe, 'waits')
    const own = await create({ kind: 'standard', name: 'acme-pay' })
    await clerk.tries('an own provider', own, 'waits')
    const data = {
      reference: 'A-1',
      payment_reference: clerk.order.reference,
      amount: '1000000.00',
      currency: 'EUR',
      received_at: '2026-07-02T10:00:00Z',
    }
    const body = JSON.stringify({ type: 'payment.received', timestamp: new Date().toISOString(), data })
    for (const [proposal, headers] of [
      [stripe, stripeHeaders(body, secret)],
      [own, standardHeaders(body, secret)],
    ] as const) {
      const path = `/payment-notifications/${proposal.body.approval_id}`
      const response = await (await stack.api()).call('POST', path, { body, headers })
      await clerk.tries('a notification', response, 'signature_invalid')
    }
    return clerk.result()
  },
}

export const swappedWallet: Attack = {
  name: 'one operator registers their wallet for an investor and mints unpaid tokens',
  isShort: true,
  run: async (stack) => {
    const clerk = await LoneClerk.of(stack)
    const { client, order } = clerk
    const { accountId, orderId } = order
    const wallet = await client.post(`/accounts/${accountId}/wallets`, new WalletOwner().body())
    await clerk.tries('registering the wallet', wallet, 'waits')
    // Approving a new account and accepting an order move nothing by themselves, so one person may do both.
    const decision = { kyc: 'APPROVED', reason: 'passport checked', acknowledged: ['document_missing'] }
    for (const { status, text } of [
      await client.post(`/accounts/${accountId}/decision`, decision),
      await client.post(`/orders/${orderId}/accept`),
    ])
      if (status !== 200) throw new Error(text)
    const path = `/orders/${orderId}/payments`
    await clerk.tries('recording the payment', await client.post(path, clerk.payment('12.50')), 'waits')
    return clerk.result()
  },
}

type Order = Awaited<ReturnType<AttackStack['order']>>

/** A tenth of a token, which costs 12.50 EUR. */
const units = '100000000'

/**
 * One user with every duty, in a tenant with the default policies, and an order of 12.50 EUR that was not paid. Counts
 * what the service refused, and checks whether money or tokens moved in the end.
 */
class LoneClerk {
  readonly client: OperatorClient
  readonly order: Order
  readonly #stack: AttackStack
  readonly #observed: string[] = []
  #isRefused = true

  private constructor(stack: AttackStack, client: OperatorClient, order: Order) {
    this.#stack = stack
    this.client = client
    this.order = order
  }

  static async of(stack: AttackStack): Promise<LoneClerk> {
    const tenant = await stack.tenant()
    const order = await stack.order(tenant, units)
    await stack.installation.useDefaultPolicies(tenant.id)
    return new LoneClerk(stack, await stack.user(tenant), order)
  }

  /** Records a step of the attack, and compares its response: an error code, or `waits` for a second person. */
  async tries(what: string, response: ApiResponse, expected: string): Promise<void> {
    const outcome = response.status === 202 ? 'waits' : (response.body.error?.code ?? String(response.status))
    this.#observed.push(`${what}: ${outcome}`)
    this.#isRefused &&= outcome === expected
    if (outcome !== 'waits') return
    const { approval_id: approvalId } = response.body
    const api = await this.#stack.operatorApi()
    const own = await api.call('POST', `/approvals/${approvalId}/confirm`, { cookie: this.client.who.cookie })
    this.#observed.push(`confirming it alone: ${own.body.error?.code ?? own.status}`)
    this.#isRefused &&= own.body.error?.code === 'second_person_required'
  }

  payment(amount: string): object {
    return { amount, currency: 'EUR', reference: crypto.randomUUID(), received_at: '2026-07-02T10:00:00.000Z' }
  }

  /** Returns the result of the attack. It failed if every step was refused or waits, and nothing has moved. */
  async result(): Promise<AttackResult> {
    const payout = await this.client.post('/payouts', {})
    await this.tries('paying out', payout, 'no_refund_due')
    const rows = await this.#stack.installation.rows(movedQuery, [this.client.who.tenantId])
    const moved = rows.map(({ what }) => what)
    const observed = `${this.#observed.join(', ')}; moved: ${moved.join(', ') || 'nothing'}`
    return { isDefended: this.#isRefused && moved.length === 0, observed }
  }
}

const movedQuery = `
  select 'payment' as what from cell.payment where tenant_id = $1
  union all select 'unassigned payment' from cell.unassigned_payment where tenant_id = $1
  union all select 'refund' from cell.refund where tenant_id = $1
  union all select 'payout' from cell.payout where tenant_id = $1
  union all select 'wallet' from cell.wallet where tenant_id = $1
  union all select 'chain op ' || kind from cell.chain_op where tenant_id = $1
  union all select 'order ' || status from cell.token_order where tenant_id = $1 and status <> 'ORDERED'`

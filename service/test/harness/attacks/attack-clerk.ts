import type { OperatorClient } from '../callers/operator-client.ts'
import type { TestTenant } from '../data/tenant.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import type { AttackResult } from './attack.ts'
import type { AttackStack } from './attack-stack.ts'

/** A tenth of a token, which costs 12.50 EUR. */
const units = '100000000'

/**
 * One user with every duty, in a tenant with the default policies, and an order of 12.50 EUR that was not paid. Counts
 * what the service refused, and checks whether money or tokens moved in the end.
 */
export class LoneClerk {
  readonly client: OperatorClient
  readonly accountId: string
  readonly orderId: string
  readonly reference: string
  readonly #stack: AttackStack
  readonly #tenant: TestTenant
  readonly #observed: string[] = []
  #isRefused = true

  private constructor(
    stack: AttackStack,
    tenant: TestTenant,
    client: OperatorClient,
    order: { accountId: string; orderId: string; reference: string },
  ) {
    this.#stack = stack
    this.#tenant = tenant
    this.client = client
    this.accountId = order.accountId
    this.orderId = order.orderId
    this.reference = order.reference
  }

  static async of(stack: AttackStack): Promise<LoneClerk> {
    const tenant = await stack.tenant()
    const client = await stack.admin(tenant)
    const accountId = await tenant.account()
    const orderId = await tenant.order(await tenant.fixtures.offering(tenant.id), accountId, units)
    const { payment_reference: reference } = (await client.get(`/orders/${orderId}`)).body
    await stack.installation.useDefaultPolicies(tenant.id)
    return new LoneClerk(stack, tenant, client, { accountId, orderId, reference })
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
    const rows = await this.#stack.installation.rows(movedQuery, [this.#tenant.id])
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

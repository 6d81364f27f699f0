import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { type RunningProcess, startMaintain } from '../../../test/harness/installation/process.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { assertSumsAddUp } from '../../../test/harness/models/recounted-sums.ts'
import { testSize } from '../../../test/harness/test-size.ts'
import { receivePayment } from '../../money/payments/receive-payment.ts'
import { Money } from '../../platform/base/money.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createOrder } from '../orders/create-order.ts'
import { cancelOrderForOperator } from '../orders/operator/cancel-order-for-operator.ts'
import { lockOrder } from '../orders/order-transition.sql.ts'
import { getOfferingSummary } from './operator/get-offering-summary.ts'
import { getTenantSummary } from './operator/get-tenant-summary.ts'
import { listSeries } from './operator/list-series.ts'

const kills = testSize({ short: 8, long: 50 })
const writers = 6
/** Starting a worker takes longer than numbering events, so several start in advance. */
const startingAhead = 2

describe('the sums of offerings', () => {
  let installation: TestInstallation
  const shops: Shop[] = []

  before(async () => {
    installation = await TestInstallation.create()
    for (const name of ['A', 'B']) shops.push(await Shop.open(installation, name))
  })
  afterEach(() => sql('drop function if exists cell.refuse() cascade'))
  after(() => installation.end())

  const sql = async (text: string, values: unknown[] = []) => await installation.rows(text, values)
  const addUp = async (tenantId: string) => installation.owner((client) => assertSumsAddUp(client, tenantId))
  const shop = () => shops[Math.floor(Math.random() * shops.length)] as Shop

  async function rebuild(tenantId: string): Promise<{ from_day: string; corrected: number }> {
    const args = ['--json', 'rebuild-summaries', '--tenant', tenantId]
    const command = startMaintain(args, installation.settings)
    assert.equal(await command.ended, 0, command.output.join('\n'))
    return JSON.parse(command.output.join('\n'))
  }

  for (const table of ['cell.daily_sum', 'cell.offering_sum', 'cell.event'])
    test(`if ${table} cannot be written, no event is numbered or counted, and the next run counts each once`, async () => {
      const { tenantId } = shop()
      await addUp(tenantId)
      await shops.find((one) => one.tenantId === tenantId)?.act(0)
      await sql(`
        create function cell.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
        create trigger refuse before insert on ${table} for each row execute function cell.refuse()`)
      await assert.rejects(installation.numberEvents(), /refused/)
      const [{ count }] = await sql('select count(*)::int from cell.event_outbox where tenant_id = $1', [tenantId])
      assert.ok(count > 0)
      await sql('drop function cell.refuse() cascade')
      await addUp(tenantId)
    })

  test(`equal a recount of the orders, payments and refunds after ${kills} workers were killed under load`, async (t) => {
    let isDone = false
    let actions = 0
    const load = Array.from({ length: writers }, async () => {
      while (!isDone) {
        await shop().act(Math.random())
        actions += 1
        await sleep(Math.random() * 40)
      }
    })
    const starting: Promise<RunningProcess>[] = []
    for (let killed = 0; killed < kills; killed += 1) {
      while (starting.length < startingAhead) starting.push(installation.startWorkerProcess())
      const worker = (await starting.shift()) as RunningProcess
      await sleep(Math.random() * 100)
      await worker.kill()
    }
    await Promise.all(starting.map(async (worker) => (await worker).kill()))
    isDone = true
    await Promise.all(load)
    t.diagnostic(`${actions} changes, ${kills} workers killed`)
    assert.ok(actions > 5 * kills, `${actions} changes`)
    for (const { tenantId } of shops) await addUp(tenantId)
  })

  test('a rebuild from events changes nothing; it corrects wrong sums, and keeps days without events', async () => {
    const { tenantId, offeringId } = shop()
    await addUp(tenantId)
    assert.equal((await rebuild(tenantId)).corrected, 0)
    const right = await sumsOf(tenantId)
    await sql(`update cell.daily_sum set amount = amount + 7 where tenant_id = $1 and measure = 'orders ORDERED'`, [
      tenantId,
    ])
    await sql(`delete from cell.offering_sum where tenant_id = $1 and measure = 'received'`, [tenantId])
    assert.equal((await rebuild(tenantId)).corrected, 2)
    assert.deepEqual(await sumsOf(tenantId), right)

    await sql(`insert into cell.daily_sum values ($1, $2, '2020-01-01', 'received', 5)`, [tenantId, offeringId])
    await sql(`update cell.offering_sum set amount = amount + 5 where tenant_id = $1 and measure = 'received'`, [
      tenantId,
    ])
    const withOldDay = await sumsOf(tenantId)
    assert.equal((await rebuild(tenantId)).corrected, 0)
    assert.deepEqual(await sumsOf(tenantId), withOldDay)
  })

  const sumsOf = (tenantId: string) =>
    sql(
      `select offering_id, day::text, measure, amount from cell.daily_sum where tenant_id = $1 and amount <> 0
       union all
       select offering_id, null, measure, amount from cell.offering_sum where tenant_id = $1 and amount <> 0
       order by 1, 2, 3`,
      [tenantId],
    )

  test('are read by offering, by tenant and by day', async () => {
    const { direct, tenantId, offeringId, pay, order, cancel } = await Shop.open(installation, 'C')
    const [first, second, third] = [await order('100'), await order('200'), await order('300')]
    await pay(first, '12.50')
    await pay(second, '30.00')
    await cancel(third)
    await addUp(tenantId)

    const summary = await direct.run(getOfferingSummary, { params: { offeringId } })
    const byStatus = Object.fromEntries(
      summary.orders.map(({ status, count, units, amount }: Status) => [status, `${count} ${units} ${amount}`]),
    )
    assert.equal(byStatus['PAID'], '2 300 37.50')
    assert.equal(byStatus['CANCELLED'], '1 300 37.50')
    assert.equal(byStatus['ORDERED'], '0 0 0.00')
    const money = {
      received: '42.50',
      reversed: '0.00',
      applied: '37.50',
      owed: '5.00',
      sent: '0.00',
      paid_back: '0.00',
    }
    assert.deepEqual(summary.money, money)
    assert.deepEqual(summary.holders, { count: 0, is_count_exact: true })

    const tenant = await direct.run(getTenantSummary, {})
    assert.deepEqual(tenant.currencies[0].money, money)
    assert.deepEqual(tenant.offerings.find(({ status }: Status) => status === 'OPEN').count, 1)

    const { days } = await direct.run(listSeries, { params: { offeringId } })
    assert.equal(days.length, 1)
    const { day, ...today } = days[0]
    assert.equal(day, new Date().toISOString().slice(0, 10))
    assert.deepEqual(today, {
      orders_created: 3,
      units_ordered: '600',
      amount_ordered: '75.00',
      orders_paid: 2,
      units_paid: '300',
      amount_paid: '37.50',
      orders_minted: 0,
      units_minted: '0',
      orders_cancelled: 1,
      units_cancelled: '300',
      amount_received: '42.50',
      amount_reversed: '0.00',
      amount_refunded: '0.00',
    })
    const long = { from: '2020-01-01', to: '2026-01-01' }
    await assert.rejects(direct.run(listSeries, { params: { offeringId }, query: long }), /366 days at most/)
    const early = await direct.run(listSeries, { params: { offeringId }, query: { to: '0001-01-29' } })
    assert.deepEqual([early.from, early.days], ['0001-01-01', []])
  })
})

interface Status {
  status: string
  count: number
  units: string
  amount: string
}

/** A tenant with an offering and an investor, who orders, pays and cancels. */
class Shop {
  readonly tenantId: string
  readonly offeringId: string
  readonly direct: DirectOperations
  readonly #accountId: string
  readonly #orders: string[] = []

  private constructor(direct: DirectOperations, offeringId: string, accountId: string) {
    this.direct = direct
    this.tenantId = direct.tenantId
    this.offeringId = offeringId
    this.#accountId = accountId
  }

  static async open(installation: TestInstallation, name: string): Promise<Shop> {
    const tenantId = await installation.createTenant(name)
    const direct = new DirectOperations(installation, tenantId)
    const offeringId = await new Fixtures(installation).offering(tenantId, {
      price_per_token: '0.125',
      decimals: 0,
      total_units: '1000000000',
      min_units: null,
      max_units: null,
    })
    return new Shop(direct, offeringId, (await direct.run(createAccount, { body: individual })).id)
  }

  /** Orders, pays (a part, all, too much) or cancels. */
  async act(random: number): Promise<void> {
    const [orderId] = this.#orders.splice(Math.floor(Math.random() * this.#orders.length), 1)
    if (random < 0.5 || !orderId) this.#orders.push(await this.order('100'))
    else if (random < 0.6) await this.cancel(orderId)
    else {
      await this.pay(orderId, ['5.00', '12.50', '20.00'][Math.floor(Math.random() * 3)] as string)
      this.#orders.push(orderId)
    }
  }

  readonly order = async (units: string): Promise<string> => {
    const body = { account_id: this.#accountId, units }
    return (await this.direct.run(createOrder, { params: { offeringId: this.offeringId }, body })).id
  }

  readonly pay = async (orderId: string, amount: string): Promise<void> => {
    await this.direct.write(async (tx) => {
      const order = await lockOrder(tx, { tenantId: this.tenantId, orderId })
      if (!order) throw new Error('the order does not exist')
      const received = { provider: 'manual', providerReference: crypto.randomUUID(), receivedAt: new Date() } as const
      await receivePayment(tx, order, { ...received, amount: Money.parse(amount, 'EUR') })
    })
  }

  readonly cancel = async (orderId: string): Promise<void> => {
    await this.direct.run(cancelOrderForOperator, { params: { orderId }, body: { reason: 'requested' } })
  }
}

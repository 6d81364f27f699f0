import { Placement } from '../../../src/platform/postgres/cells/placement.ts'
import { approvalRisks } from '../../../src/sales/accounts/approval-risks.ts'
import { expireOrder } from '../../../src/sales/orders/expire-orders.ts'
import type { CamtEntry } from '../money/camt053.ts'
import type { Actor, LoneClerksWorld } from './lone-clerks-world.ts'

type Command = (world: LoneClerksWorld, clerk: Actor) => Promise<unknown>

const orders = 'select id from cell.token_order where tenant_id = $1 order by id desc limit 20'
const ordersIn = (status: string) =>
  `select id from cell.token_order where tenant_id = $1 and status = '${status}' order by id desc limit 20`
const refunds = 'select id from cell.refund where tenant_id = $1 order by changed_at desc, id limit 20'
const refundsIn = (status: string) =>
  `select id from cell.refund where tenant_id = $1 and status = '${status}' order by id desc limit 20`
const unassigned = `select id from cell.unassigned_payment where tenant_id = $1 and status = 'open' order by id limit 20`
const payments = 'select id from cell.payment where tenant_id = $1 order by id desc limit 20'
const payouts = 'select id from cell.payout where tenant_id = $1 order by id desc limit 5'
const hex = (id: string) => id.replaceAll('-', '')
const inOneYear = () => new Date(Date.now() + 365 * 86_400_000)

/** Commands of two honest people, buyers and the bank. */
const background: Readonly<Record<string, Command>> = {
  async order(world) {
    const buyer = world.pick(world.buyers)
    if (buyer) await world.tenant.order(world.offeringId, buyer.accountId, String(1_000_000n * BigInt(amountOf(world))))
  },
  async pay(world) {
    const { rows } = await world.client.query(
      `select account_id as account, payment_reference as reference,
              base.minor_units(total_amount - paid_amount, currency)::text as missing
       from cell.token_order where tenant_id = $1 and status in ('ORDERED', 'NOPAYMENT') order by id desc limit 20`,
      [world.tenant.id],
    )
    const order = world.pick(rows)
    const buyer = world.buyers.find(({ accountId }) => accountId === order?.account)
    if (!order || !buyer) return
    const amount = BigInt(order.missing) * (world.random() < 0.2 ? 2n : 1n)
    if (amount === 0n) return
    const text = world.random() < 0.6 ? order.reference : 'my tokens please'
    world.bank.receive({ amount, text, payerName: buyer.name, payerIban: buyer.iban })
  },
  bankDay: (world) => world.bookBankDay(),
  async expire(world) {
    const { databases } = world.direct.databases
    const key = { tenantId: world.tenant.id, orderId: await world.pickId(ordersIn('ORDERED')) }
    await expireOrder(
      { databases, placement: new Placement(databases) },
      key,
      new Date(Date.now() + 2 * 365 * 86_400_000),
    )
  },
  async cancel(world) {
    await world.together(`/orders/${await world.pickId(ordersIn('PAID'))}/cancel`, { reason: 'withdrawn' })
  },
  async payOut(world) {
    const created = await world.honestly('/payouts', {})
    const id = created.status === 201 ? created.body.id : await world.pickId(payouts)
    if (await world.together(`/payouts/${id}/release`)) await world.downloadHonestly(id)
  },
  async retryReturned(world) {
    const returned = `select id from cell.refund where tenant_id = $1 and status = 'failed' and returned_at is not null
                      order by id`
    await world.honestly(`/refunds/${await world.pickId(returned)}/retry`)
  },
}

/** Returns an attempt on one of the rows that a query finds. */
function on(query: string, path: string, body?: object): Command {
  return async (world, clerk) => world.call(clerk, path.replace(':id', await world.pickId(query)), body)
}

/** Attempts that each clerk makes alone. */
const attempts: Readonly<Record<string, Command>> = {
  async failAndRetry(world, clerk) {
    const id = await world.pickId(refundsIn('sent'))
    await world.call(clerk, `/refunds/${id}/fail`, { failure: 'AC04' })
    await world.call(clerk, `/refunds/${id}/retry`)
  },
  fail: on(refunds, '/refunds/:id/fail', { failure: 'AC04' }),
  retry: on(refundsIn('failed'), '/refunds/:id/retry'),
  settle: on(refunds, '/refunds/:id/settle'),
  send: on(refundsIn('due'), '/refunds/:id/send', { reference: 'by hand' }),
  approveAccount: on(refunds, '/refunds/:id/approve-account'),
  acceptLate: on(ordersIn('NOPAYMENT'), '/orders/:id/accept-late-payment'),
  extend: on(ordersIn('NOPAYMENT'), '/orders/:id/extend', { payment_due_at: inOneYear().toISOString() }),
  cancel: on(orders, '/orders/:id/cancel', { reason: 'x' }),
  assign: async (world, clerk) =>
    world.call(clerk, `/unassigned-payments/${await world.pickId(unassigned)}/assign`, {
      order_id: await world.pickId(ordersIn('ORDERED')),
    }),
  async assignMatching(world, clerk) {
    const { rows } = await world.client.query(
      `select unassigned_payment.id, token_order.id as "orderId" from cell.unassigned_payment
       join cell.token_order on token_order.tenant_id = $1 and token_order.status = 'ORDERED'
         and token_order.missing_minor = base.minor_units(unassigned_payment.unassigned_amount, 'EUR')
       where unassigned_payment.tenant_id = $1 and unassigned_payment.status = 'open' order by 1, 2 limit 50`,
      [world.tenant.id],
    )
    const found = world.pick(rows)
    if (found) await world.call(clerk, `/unassigned-payments/${found.id}/assign`, { order_id: found.orderId })
  },
  split: async (world, clerk) =>
    world.call(clerk, `/unassigned-payments/${await world.pickId(unassigned)}/split`, {
      parts: [{ order_id: await world.pickId(ordersIn('ORDERED')), amount: '1.00' }],
    }),
  giveBack: on(unassigned, '/unassigned-payments/:id/return', { reason: 'x' }),
  reverse: on(payments, '/payments/:id/reverse', { reason: 'x' }),
  record: async (world, clerk) =>
    world.call(clerk, `/orders/${await world.pickId(ordersIn('ORDERED'))}/payments`, {
      amount: '1.00',
      currency: 'EUR',
      reference: crypto.randomUUID(),
      received_at: '2026-07-02T10:00:00.000Z',
    }),
  createPayout: (world, clerk) => world.call(clerk, '/payouts', {}),
  release: on(payouts, '/payouts/:id/release'),
  discard: on(payouts, '/payouts/:id/discard'),
  download: async (world, clerk) => world.download(clerk, await world.pickId(payouts)),
  /** Lets an outsider open an account in a payer's name, now and then with the IBAN. The clerk orders for it. */
  async openTwin(world, clerk) {
    const [payer, other] = [world.pick(world.buyers), world.pick(world.buyers)]
    if (!payer || !other || world.buyers.length > 40) return
    await world.open(payer.name, world.random() < 0.3 ? payer.iban : other.iban)
    const accountId = world.buyers.at(-1)?.accountId
    const body = { account_id: accountId, units: String(1_000_000n * BigInt(amountOf(world))), reason: 'by telephone' }
    await world.call(clerk, `/offerings/${world.offeringId}/orders`, body)
  },
  approveKyc: async (world, clerk) =>
    world.call(clerk, `/accounts/${world.pick(world.buyers)?.accountId}/decision`, {
      kyc: 'APPROVED',
      reason: 'x',
      acknowledged: approvalRisks,
    }),
  async forge(world, clerk) {
    const id = await world.upload(clerk, [await forgedEntry(world)], true)
    const booked = await world.call(clerk, `/statements/${id}/book`)
    await world.match()
    if (booked.status === 202) await world.confirmOwn(clerk, booked.body.approval_id)
  },
  async confirmOwn(world, clerk) {
    const proposed = `select id from base.approval where tenant_id = $1 and state = 'pending' order by proposed_at desc
                      limit 3`
    // Skips proposals of the other clerk, because two people together may make them happen.
    const id = await world.pickId(proposed)
    const { rows } = await world.client.query('select proposed_by as "by" from base.approval where id = $1', [id])
    if (rows[0]?.by === clerk.userId) await world.confirmOwn(clerk, id)
  },
}

/** Amounts repeat, so that payments have several candidates. */
function amountOf(world: LoneClerksWorld): number {
  return world.pick([125, 250, 1_000, 1_001 + Math.floor(world.random() * 500)]) ?? 125
}

async function forgedEntry(world: LoneClerksWorld): Promise<CamtEntry> {
  const bankReference = `F${crypto.randomUUID()}`
  const sent = await world.client.query(
    `select id, amount::text from cell.refund where tenant_id = $1 and status in ('sent', 'settled', 'due')
     order by id desc limit 20`,
    [world.tenant.id],
  )
  const refund = world.pick(sent.rows)
  const { rows } = await world.client.query(
    `select payment_reference as reference, total_amount::text as total from cell.token_order
     where tenant_id = $1 order by id desc limit 20`,
    [world.tenant.id],
  )
  const order = world.pick(rows) ?? { reference: 'none', total: '1.00' }
  const kinds: CamtEntry[] = [
    { amount: order.total, text: order.reference, bankReference, payerName: 'Bob Buyer' },
    { amount: order.total, text: order.reference, bankReference, isDebit: true, isReversal: true },
    ...(refund
      ? [
          { amount: refund.amount, endToEndId: hex(refund.id), bankReference, isDebit: true },
          { amount: refund.amount, endToEndId: hex(refund.id), bankReference, returnCode: 'AC04' },
        ]
      : []),
  ]
  return world.pick(kinds) as CamtEntry
}

/** Weights of the commands. Those that move money come more often. */
const weights: Readonly<Record<string, number>> = {
  order: 6,
  pay: 8,
  bankDay: 4,
  expire: 4,
  payOut: 6,
  retryReturned: 2,
  failAndRetry: 3,
  acceptLate: 3,
  extend: 2,
  assignMatching: 4,
  forge: 3,
}
const backgroundCommands = weighted(background)
const attemptCommands = weighted(attempts)

function weighted(commands: Readonly<Record<string, Command>>): [string, Command][] {
  return Object.entries(commands).flatMap((entry) => Array.from({ length: weights[entry[0]] ?? 1 }, () => entry))
}

/** Runs a random command. Returns its name. */
export async function runRandomCommand(world: LoneClerksWorld): Promise<string> {
  const isBackground = world.random() < 0.5
  const [name, command] = world.pick(isBackground ? backgroundCommands : attemptCommands) ?? []
  const clerk = world.pick(world.clerks)
  if (!name || !command || !clerk) throw new Error('there is no command')
  await command(world, clerk)
  return `${isBackground ? 'background' : 'alone'} ${name}`
}

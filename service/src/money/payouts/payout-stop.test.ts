import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { startMaintain } from '../../../test/harness/installation/process.ts'
import { StatementWorld } from '../../../test/harness/money/statement-world.ts'
import { insertPayoutStops } from './payout-stop.sql.ts'

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

describe('payouts after a restore of the database', async () => {
  const world = await StatementWorld.create()
  after(() => world.end())
  const { installation, operator, tenant } = world
  let until: string

  /** Stops payouts like maintain after-restore, for a restore to yesterday. */
  const stop = async () => {
    await installation.owner(async (client) => {
      await client.query('begin')
      await insertPayoutStops(client, `${day(-1)}T12:00:00Z`)
      await client.query('commit')
      const { rows } = await client.query('select statements_until::text as until from cell.payout_stop limit 1')
      until = rows[0].until
    })
  }
  const dueRefund = async (booked: string) => {
    const { id, reference } = await world.order()
    await world.importEntries(
      [{ amount: '135.00', creditorReference: reference, payerIban: 'DE89370400440532013000' }],
      {
        day: booked,
      },
    )
    const [refund] = await world.refundsOf(id)
    return { orderId: id, refundId: String(refund.id), endToEndId: String(refund.id).replaceAll('-', ''), reference }
  }
  const statusOf = async (refundId: string) => (await operator.get(`/refunds/${refundId}`)).body.status
  /** The files of a test are not in the order of their days. */
  const resolveGaps = async () => {
    const rows = await installation.rows(
      `update cell.bank_statement set gap_resolution = 'checked' where continuity = 'gap' returning id`,
    )
    return rows
  }
  const create = () => operator.post('/payouts', {})

  test('no payout is created, released or downloaded until statements cover the time since', async () => {
    const { refundId } = await dueRefund(day(-3))
    const payout = (await create()).body
    const released = (await operator.post('/payouts', {})).status
    assert.equal(released, 409, 'the refund is in an open payout')
    await stop()
    const download = () => operator.download(`/payouts/${payout.id}/download`)
    const release = () => operator.post(`/payouts/${payout.id}/release`)
    assertError(await release(), 409, 'payouts_stopped')
    // A payout that was released before the moment.
    await installation.rows(`update cell.payout set status = 'released', released_at = now() where id = $1`, [
      payout.id,
    ])
    const rejected = await download()
    assertError(rejected, 409, 'payouts_stopped')
    const message = rejected.body.error?.message ?? rejected.text
    assert.match(message, new RegExp(`Statements must cover ${day(-1)} to ${until}`))
    assert.match(message, /Import the statements of \w+ in EUR until one closes on/)
    assert.equal(await statusOf(refundId), 'due')

    // One day is missing: the balances show it.
    await world.importEntries([{ amount: '1.00', isDebit: true }], { day: day(-1) })
    await world.importEntries([], { day: until, opening: '5.00', closing: '5.00' })
    assert.match((await download()).text, /Import the missing statements of \w+ in EUR, or resolve the gaps: 1/)
    const rows = await resolveGaps()
    assert.equal(rows.length, 1)
    // An unbooked statement.
    const booking = (waits: boolean) =>
      installation.rows('update cell.bank_statement set waits_for_booking = $1 where id = $2', [waits, rows[0].id])
    await booking(true)
    assert.match((await download()).text, /Book the statements of \w+ in EUR that wait: 1/)
    await booking(false)
    assert.equal((await download()).status, 200)
    assert.equal(await statusOf(refundId), 'sent')
    await installation.rows('delete from cell.payout_stop')
  })

  test('a debit of a refund that looks due settles it, and the next payout does not pay it', async () => {
    const paid = await dueRefund(day(-2))
    const due = await dueRefund(day(-2))
    const debit = { amount: '10.00', isDebit: true, endToEndId: paid.endToEndId, bookedOn: day(0) }
    // If nothing was restored, the entry needs attention: the service has not sent the refund.
    const unsent = await world.importEntries([{ ...debit, endToEndId: due.endToEndId }], { day: day(0) })
    assert.deepEqual(unsent.states, ['needs_attention'])
    await stop()
    const { states } = await world.importEntries([debit], { day: until })
    assert.deepEqual(states, ['refund_settled'])
    assert.deepEqual([await statusOf(paid.refundId), await statusOf(due.refundId)], ['settled', 'due'])
    const attention = await create()
    assertError(attention, 409, 'payouts_stopped')
    assert.match(attention.text, /Resolve the debits of \w+ in EUR that need attention: 1/)
    const [entry] = unsent.entries
    const resolved = await operator.post(`/statements/${unsent.result.statements[0].id}/entries/${entry.id}/resolve`, {
      resolution: 'a test',
    })
    assert.ok(resolved.status < 300, resolved.text)
    await resolveGaps()
    const { body, text } = await create()
    assert.deepEqual([body.count, body.sums], [1, [{ currency: 'EUR', amount: '10.00', count: 1 }]], text)
    await operator.post(`/payouts/${body.id}/discard`)
    await installation.rows('delete from cell.payout_stop')
  })

  test('a debit of a refund that the restored database does not have needs attention and names the order', async () => {
    const { orderId, reference } = await dueRefund(day(-2))
    const unknown = { amount: '10.00', isDebit: true, endToEndId: 'ab'.repeat(16), bookedOn: day(0) }
    assert.deepEqual((await world.importEntries([unknown], { day: until })).states, ['other'])
    await stop()
    const text = `Refund ${reference}`
    const { states, entries } = await world.importEntries([{ ...unknown, text }], { day: until })
    assert.deepEqual(states, ['needs_attention'])
    assert.match(
      entries[0].note,
      new RegExp(`does not have\\. Compare all such debits of order ${orderId} with its refunds`),
    )
    assert.equal(entries[0].order_id, orderId)
    assertError(await create(), 409, 'payouts_stopped')
  })

  test('only maintain can resume payouts by hand', async () => {
    assertError(await create(), 409, 'payouts_stopped')
    const rows = await installation.rows(
      `select has_table_privilege('investor_token_app', 'cell.payout_stop', 'update') as "canUpdate"`,
    )
    assert.equal(rows[0].canUpdate, false)
    const resume = async () => {
      const args = ['resume-payouts', '--tenant', tenant.id, '--reason', 'the bank has executed nothing']
      const { ended, output } = startMaintain(args, installation.settings)
      return { code: await ended, text: output.join('\n') }
    }
    assert.equal((await resume()).code, 0)
    const again = await resume()
    assert.equal(again.code, 1)
    assert.match(again.text, /are not stopped/)
    const audited = await installation.rows(
      `select after from base.audit_log where action = 'tenant.payouts_resumed' and tenant_id = $1`,
      [tenant.id],
    )
    assert.deepEqual(audited, [{ after: { reason: 'the bank has executed nothing' } }])
    assert.equal((await create()).status, 201)
  })
})

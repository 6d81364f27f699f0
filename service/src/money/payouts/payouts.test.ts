import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { individual, newOffering } from '../../../test/harness/data/bodies.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { createPaymentDesk } from '../../../test/harness/money/payment-desk.ts'
import { assertValidRefundFile, readRefundFile } from '../../../test/harness/money/refund-file.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { competeFor, until, waitingForLocks } from '../../../test/harness/wait.ts'

const hex = (id: string) => id.replaceAll('-', '')
const endToEndIds = ({ blocks }: Pick<ReturnType<typeof readRefundFile>, 'blocks'>) =>
  blocks.flatMap(({ transfers }) => pluck(transfers, 'endToEndId'))

describe('payouts', async () => {
  const running = await useSharedApis()
  const { installation, operatorApi } = running

  /** Each test has its own tenant, since a payout takes all due refunds. */
  async function world() {
    const { tenant, operator, offeringId, accountId, refundsOf } = await createPaymentDesk(running)
    /** Creates a refund of 125.00, for a payment after the deadline. */
    const createRefund = async (account = accountId, from = offeringId) => {
      const orderId = await tenant.order(from, account)
      await tenant.fixtures.bringTo(tenant.id, orderId, 'NOPAYMENT')
      await tenant.fixtures.pay(tenant.id, orderId)
      const [refund] = await refundsOf(orderId)
      return { orderId, refundId: refund.id as string }
    }
    /** Creates a payout and releases it, alone: the tenant needs no second person. */
    const createReleased = async (payout: object = {}) => {
      const created = await operator.post('/payouts', payout)
      assert.equal(created.status, 201, created.text)
      assert.equal((await operator.post(`/payouts/${created.body.id}/release`)).body.status, 'released')
      return created
    }
    const download = (payoutId: string) => operator.download(`/payouts/${payoutId}/download`)
    const refund = async (id: string) => (await operator.get(`/refunds/${id}`)).body
    return { tenant, operator, createRefund, createReleased, download, refund }
  }

  test('all due refunds are in one valid file; a download sends them, the next returns the same bytes', async () => {
    const { tenant, operator, createRefund, createReleased, download, refund } = await world()
    const other = await tenant.fixtures.offering(tenant.id, {
      currency: 'CHF',
      collection_account: { ...newOffering.collection_account, iban: 'CH9300762011623852957', currency: 'CHF' },
    })
    const refunds = [await createRefund(), await createRefund(), await createRefund(undefined, other)]
    const refundIds = pluck(refunds, 'refundId')
    const created = await createReleased({ execution_date: '2099-01-02' })
    assert.match(created.headers.get('location') ?? '', new RegExp(`/operator/payouts/${created.body.id}$`))
    assert.deepEqual([created.body.count, created.body.left_out, created.body.has_more], [3, [], false])
    assert.deepEqual(created.body.sums, [
      { currency: 'CHF', amount: '125.00', count: 1 },
      { currency: 'EUR', amount: '250.00', count: 2 },
    ])

    const first = await download(created.body.id)
    assert.equal(first.status, 200, first.text)
    assertValidRefundFile(first.text)
    const { count, sum, blocks } = readRefundFile(first.text)
    assert.deepEqual([count, sum, pluck(blocks, 'date')], ['3', '375.00', ['2099-01-02', '2099-01-02']])
    assert.deepEqual(endToEndIds({ blocks }).toSorted(), refundIds.map(hex).toSorted())
    for (const id of refundIds) {
      const { status, reference } = await refund(id)
      assert.deepEqual([status, reference], ['sent', hex(id)])
    }
    const changedAt = (await refund(refundIds[0] ?? '')).changed_at
    const second = await download(created.body.id)
    assert.equal(second.text, first.text)
    assert.equal((await refund(refundIds[0] ?? '')).changed_at, changedAt)
    // The file has bank accounts of investors, so every download is in the audit log.
    const { results: audited } = (await operator.get(`/audit?subject_id=${created.body.id}`)).body
    const downloads = audited.filter(({ action }: { action: string }) => action === 'payout.downloaded')
    assert.deepEqual(downloads[0].after, { again: true })
    assert.equal(downloads.length, 2)

    await operator.post(`/refunds/${refundIds[0]}/settle`)
    await operator.postTogether(`/refunds/${refundIds[1]}/fail`, { failure: 'AC04 closed account' })
    const seen = (await operator.get(`/payouts/${created.body.id}`)).body
    assert.deepEqual(
      [seen.status, seen.refunds],
      ['downloaded', { due: 0, sent: 1, settled: 1, failed: 1, withdrawn: 0 }],
    )
    assert.equal((await operator.get('/payouts?status=downloaded')).body.results[0].id, created.body.id)
    assert.equal((await operator.get('/payouts?status=open')).body.pagination.count, 0)

    // A failed refund that is due again goes into a new file.
    await operator.postTogether(`/refunds/${refundIds[1]}/retry`)
    const again = await createReleased()
    const third = readRefundFile((await download(again.body.id)).text)
    assert.deepEqual(endToEndIds(third), [hex(refundIds[1] ?? '')])
    assert.notEqual(third.blocks[0]?.transfers[0]?.instructionId, blocks[0]?.transfers[1]?.instructionId)
  })

  test('operators learn that all refunds of a payout are settled, whatever other payouts wait for', async () => {
    const { tenant, operator, createRefund, createReleased, download } = await world()
    const send = async (count: number) => {
      const refundIds: string[] = []
      for (let made = 0; made < count; made += 1) refundIds.push((await createRefund()).refundId)
      const { body } = await createReleased()
      await download(body.id)
      return { refundIds, payoutId: body.id as string }
    }
    const settle = async (refundId = '') => {
      assert.equal((await operator.post(`/refunds/${refundId}/settle`)).status, 200)
      const rows = await installation.rows(
        `select data ->> 'payout_id' as id from cell.event_outbox
           where tenant_id = $1 and type = 'payout.settled' order by insertion`,
        [tenant.id],
      )
      return rows.map(({ id }) => id)
    }
    const [first, second] = [await send(2), await send(1)]
    assert.deepEqual(await settle(first.refundIds[0]), [])
    assert.deepEqual(await settle(first.refundIds[1]), [first.payoutId])
    assert.deepEqual(await settle(second.refundIds[0]), [first.payoutId, second.payoutId])

    // A refund that came back and was sent in another file no longer keeps the first one open.
    const third = await send(2)
    const [returned = ''] = third.refundIds
    await operator.postTogether(`/refunds/${returned}/fail`, { failure: 'AC04 closed account' })
    await operator.postTogether(`/refunds/${returned}/retry`)
    const fourth = await send(0)
    assert.deepEqual((await settle(third.refundIds[1])).slice(2), [third.payoutId])
    assert.deepEqual((await settle(returned)).slice(2), [third.payoutId, fourth.payoutId])
  })

  test('names and IBANs of the file are not readable in the database, the audit log or the process log', async () => {
    const { tenant, createRefund, createReleased, download } = await world()
    await createRefund(
      await tenant.account({
        ...individual,
        individual: { ...individual.individual, firstName: 'Zyx', lastName: 'Qwv' },
        bank_account: { ...individual.bank_account, account_holder: 'Zyx Qwv' },
      }),
    )
    const { body } = await createReleased()
    assert.match((await download(body.id)).text, /Zyx Qwv/)
    const rows = await installation.rows<{ file: Buffer; creditor: Buffer }>(
      'select file, creditor from cell.payout join cell.payout_refund on payout_id = payout.id where id = $1',
      [body.id],
    )
    for (const box of [rows[0]?.file, rows[0]?.creditor])
      assert.ok(box && !box.includes('Zyx Qwv') && !box.includes('DE89'))
    const traces = await installation.rows(
      'select to_jsonb(audit_log)::text as line from base.audit_log where tenant_id = $1',
      [tenant.id],
    )
    const logged = [...traces.map(({ line }) => line), ...operatorApi.process.output].join()
    assert.ok(logged.includes('payout.downloaded') && !logged.includes('Zyx Qwv') && !logged.includes('DE8937'))
  })

  test('a refund that a file cannot contain stays due, with a reason; 409 if nothing else is due', async () => {
    const { tenant, operator, createRefund, createReleased, download, refund } = await world()
    const bank = (change: object) => ({ ...individual, bank_account: { ...individual.bank_account, ...change } })
    const wrong = await createRefund(await tenant.account(bank({ iban: 'DE00000000000000000000' })))
    const rejected = await operator.post('/payouts', {})
    assertError(rejected, 409, 'no_refund_due')
    assert.match(rejected.body.error.message, new RegExp(`${wrong.refundId}.*IBAN`))
    const right = await createRefund()
    const { body } = await createReleased()
    assert.deepEqual(
      body.left_out.map((one: Record<string, string>) => [one['refund_id'], one['reason']]),
      [[wrong.refundId, 'iban_invalid']],
    )
    assert.equal((await refund(wrong.refundId)).status, 'due')
    const inOpen = await operator.post('/payouts', { currency: 'EUR' })
    assertError(inOpen, 409, 'no_refund_due')
    assert.match(inOpen.body.error.message, /Due refunds in open payouts: 1\./)
    assert.deepEqual(readRefundFile((await download(body.id)).text).count, '1')
    assert.equal((await refund(right.refundId)).status, 'sent')
    assertError(await operator.post('/payouts', { currency: 'CHF' }), 409, 'no_refund_due')
    assertInvalid(await operator.post('/payouts', { execution_date: '2020-01-01' }))
  })

  test('discarding an open payout makes its refunds available; a downloaded payout cannot be discarded', async () => {
    const { operator, createRefund, createReleased, download } = await world()
    await createRefund()
    const { body } = await createReleased()
    const discarded = await operator.post(`/payouts/${body.id}/discard`)
    assert.deepEqual([discarded.status, discarded.body.status, discarded.body.count], [200, 'discarded', 0])
    assert.equal((await operator.post(`/payouts/${body.id}/discard`)).text, discarded.text)
    assertError(await download(body.id), 409, 'payout_not_in_state')
    const next = await createReleased()
    assert.equal(next.body.count, 1)
    await download(next.body.id)
    assertError(await operator.post(`/payouts/${next.body.id}/discard`), 409, 'payout_not_in_state')
  })

  test('a refund withdrawn before the download is not in the file; 409 if all are withdrawn', async () => {
    const { operator, createRefund, createReleased, download, refund } = await world()
    const [late, other] = [await createRefund(), await createRefund()]
    const { body } = await createReleased()
    assert.equal((await operator.post(`/orders/${late.orderId}/accept-late-payment`)).status, 200)
    assert.deepEqual(endToEndIds(readRefundFile((await download(body.id)).text)), [hex(other.refundId)])
    assert.equal((await refund(late.refundId)).status, 'withdrawn')
    const last = await createRefund()
    const empty = await createReleased()
    await operator.post(`/orders/${last.orderId}/accept-late-payment`)
    assertError(await download(empty.body.id), 409, 'payout_empty')
  })

  test('two concurrent payouts never share a refund, even if both wait for its lock', async () => {
    const { operator, createRefund } = await world()
    const { refundId } = await createRefund()
    const responses = await competeFor(installation, { table: 'cell.refund', id: refundId }, () => [
      operator.post('/payouts', {}),
      operator.post('/payouts', {}),
    ])
    assert.deepEqual(pluck(responses, 'status').toSorted(), [201, 409], pluck(responses, 'text').join())
  })

  test('a late payment accepted during the download: the file or the order gets the refund, not both', async () => {
    for (const first of ['download', 'accept'] as const) {
      const { operator, createRefund, createReleased, download, refund } = await world()
      const [late, other] = [await createRefund(), await createRefund()]
      const { body } = await createReleased()
      const accept = () => operator.post(`/orders/${late.orderId}/accept-late-payment`)
      const [one, two] = first === 'download' ? [() => download(body.id), accept] : [accept, () => download(body.id)]
      const responses = await installation.owner(async (client) => {
        await client.query('begin')
        await client.query('select from cell.refund where id = $1 for update', [late.refundId])
        const started = [one()]
        await until('the first waits', async () => (await waitingForLocks(installation)) === 1)
        started.push(two())
        await until('both wait', async () => (await waitingForLocks(installation)) === 2)
        await client.query('commit')
        return Promise.all(started)
      })
      const file = await download(body.id)
      const downloaded = responses[first === 'download' ? 0 : 1]
      assert.deepEqual([downloaded?.status, downloaded?.text], [200, file.text])
      const isInFile = file.text.includes(hex(late.refundId))
      const { status } = await refund(late.refundId)
      const accepted = responses[first === 'download' ? 1 : 0]?.status
      assert.deepEqual(
        [isInFile, status, accepted],
        first === 'download' ? [true, 'sent', 409] : [false, 'withdrawn', 200],
      )
      assert.equal((await refund(other.refundId)).status, 'sent')
    }
  })

  test('two concurrent downloads return the same file', async () => {
    const { createRefund, createReleased, download } = await world()
    await createRefund()
    const { body } = await createReleased()
    const [one, other] = await competeFor(installation, { table: 'cell.payout', id: body.id }, () => [
      download(body.id),
      download(body.id),
    ])
    assert.deepEqual([one?.status, other?.status, one?.text], [200, 200, other?.text])
  })
})

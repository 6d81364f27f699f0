import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openRules } from '../../../test/harness/data/eligibility.ts'
import type { Party } from '../../../test/harness/data/fixtures.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { TransferWorld } from '../../../test/harness/tokens/transfer-world.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { setEligibility } from '../../sales/eligibility/operator/set-eligibility.ts'
import { pauseOffering } from '../../sales/offerings/operator/pause-offering.ts'
import { resumeOffering } from '../../sales/offerings/operator/resume-offering.ts'
import { tokenCall } from '../chain/contracts.ts'
import { setLockUp } from '../lock-up/operator/set-lock-up.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { getTransfer } from './get-transfer.ts'
import { listTransfers } from './list-transfers.ts'
import { approveTransfer } from './operator/approve-transfer.ts'
import { judgeUnrequestedTransfer } from './operator/judge-unrequested-transfer.ts'
import { rejectTransfer } from './operator/reject-transfer.ts'

const one = 100_000_000n
const reason = 'for a test'

describe('transfers on a chain', async () => {
  const world = await TransferWorld.create()
  after(() => world.end())
  const seller = await world.party(12)
  const buyer = await world.party()

  const approve = (transferId: string) => world.run(approveTransfer, { transferId })
  const balanceOf = ({ address }: Party) => world.settled.readToken<bigint>('balanceOf', [address])
  const typesOf = async (transferId: string) => (await world.events(transferId)).map(({ type }) => type)
  /** Creates a transfer that the sender can send. */
  async function ready(from = seller, to = buyer, change: object = {}): Promise<string> {
    const { id } = await world.request(from, to, change)
    await approve(id)
    await world.settled.settle()
    assert.equal((await world.read(id)).status, 'READY')
    return id
  }

  test('from request to completed: the receiver is registered, the sender sends, the indexer closes it', async () => {
    const { id, status, blockers } = await world.request(seller, buyer)
    assert.deepEqual([status, blockers.map(({ code }: { code: string }) => code)], ['REQUESTED', ['approval_missing']])
    await assert.rejects(world.settled.chain.client.call(await transferCall()), /ERC7943CannotReceive|revert/)
    assert.equal((await approve(id)).status, 'APPROVED')
    assert.deepEqual(await world.codesOf(id), ['registration_missing'])
    await world.settled.settle()
    assert.deepEqual([(await world.read(id)).status, await world.codesOf(id)], ['READY', []])
    const hash = await world.send(seller, buyer)
    await world.settled.index()
    const sent = await world.read(id)
    assert.deepEqual([sent.status, sent.transaction_hash, sent.closed_at], ['SENT', hash, null])
    assert.deepEqual(await typesOf(id), ['transfer.created', 'transfer.ready'])
    await world.finalize()
    const done = await world.run(getTransfer, { transferId: id })
    assert.deepEqual([done.status, done.transaction_hash, done.blockers], ['DONE', hash, []])
    assert.equal(await balanceOf(buyer), one)
    assert.deepEqual(await typesOf(id), ['transfer.created', 'transfer.ready', 'transfer.completed'])
    assert.deepEqual(await world.unrequested(), [])
    await assert.rejects(world.run(cancelTransfer, { transferId: id }), { code: 'transfer_not_in_state' })
  })

  async function transferCall() {
    return { ...tokenCall(await world.settled.token(), 'transfer', [buyer.address, one]), account: seller.address }
  }

  test('a receiver who is registered already makes it READY at once, and equal requests close one by one', async () => {
    const [first, second] = [await world.request(seller, buyer), await world.request(seller, buyer)]
    assert.equal((await approve(first.id)).status, 'READY')
    assert.equal((await approve(second.id)).status, 'READY')
    await world.send(seller, buyer)
    await world.finalize()
    assert.equal((await world.read(first.id)).status, 'DONE')
    assert.equal((await world.read(second.id)).status, 'READY')
    await world.send(seller, buyer)
    await world.settled.index()
    await world.settled.index()
    await world.finalize()
    assert.equal((await world.read(second.id)).status, 'DONE')
    const completed = (await typesOf(second.id)).filter((type) => type === 'transfer.completed')
    assert.equal(completed.length, 1)
    assert.deepEqual(await world.unrequested(), [])
  })

  test('a reorg reopens the request, and the transfer in another block closes it once', async () => {
    const id = await ready()
    const earlier = await balanceOf(buyer)
    await world.send(seller, buyer)
    await world.settled.index()
    assert.equal((await world.read(id)).status, 'SENT')
    await assert.rejects(world.run(cancelTransfer, { transferId: id }), { code: 'transfer_not_in_state' })
    await world.settled.chain.reorg(1)
    await world.settled.chain.mine(1)
    await world.settled.index()
    const reopened = await world.read(id)
    assert.deepEqual([reopened.status, reopened.transaction_hash], ['READY', null])
    assert.equal(await balanceOf(buyer), earlier)
    await world.send(seller, buyer)
    await world.finalize()
    assert.equal((await world.read(id)).status, 'DONE')
    assert.equal(await balanceOf(buyer), earlier + one)
    assert.deepEqual((await typesOf(id)).filter((type) => type === 'transfer.completed').length, 1)
  })

  test('a reorg that includes the transfer again leaves it SENT, so that it cannot be cancelled or sent twice', async () => {
    const id = await ready()
    await world.send(seller, buyer)
    await world.settled.index()
    const { blockHash: orphaned } = await blockOf(id)
    const { to, data } = await transferCall()
    await world.settled.chain.reorg(1, { from: seller.address, to, data })
    await world.settled.index()
    const { blockHash } = await blockOf(id)
    assert.notEqual(blockHash, orphaned)
    assert.equal(blockHash, (await world.settled.chain.client.getBlock()).hash)
    assert.equal((await world.read(id)).status, 'SENT')
    await assert.rejects(world.run(cancelTransfer, { transferId: id }), { code: 'transfer_not_in_state' })
    await world.finalize()
    assert.equal((await world.read(id)).status, 'DONE')
    assert.deepEqual(await world.unrequested(), [])
  })

  async function blockOf(transferId: string): Promise<{ blockHash: string | null }> {
    const [row] = await world.settled.world.rows<{ blockHash: string | null }>(
      'select block_hash as "blockHash" from cell.token_transfer where id = $1',
      [transferId],
    )
    assert.ok(row)
    return row
  }

  test('a transfer of other units, to another receiver or without a request is recorded with its breach and judged', async () => {
    const id = await ready()
    const hash = await world.send(seller, buyer, one / 2n)
    await world.finalize()
    assert.equal((await world.read(id)).status, 'READY')
    const [found, ...others] = await world.unrequested()
    assert.equal(others.length, 0)
    assert.deepEqual(
      [found.transaction_hash, found.units, found.sender_account_id, found.receiver_account_id, found.breaches],
      [hash, String(one / 2n), seller.accountId, buyer.accountId, []],
    )
    // An earlier version deployed the token, so it does not reject transfers during lock-up.
    await world.settled.world.rows('update cell.offering set token_enforces_lock_up = false')
    const nextYear = new Date(Date.now() + 86_400_000 * 365).toISOString()
    await world.run(setLockUp, { offeringId: world.offeringId }, { lock_up_until: nextYear, reason })
    await world.run(setEligibility, { offeringId: world.offeringId }, { ...openRules, refused_countries: ['DE'] })
    await world.settled.world.rows(
      `update cell.account set profile = jsonb_set(profile, '{country}', '"DE"') where id = $1`,
      [buyer.accountId],
    )
    await world.run(cancelTransfer, { transferId: id })
    await world.send(seller, buyer)
    await world.finalize()
    const broken = (await world.unrequested()).at(-1)
    assert.deepEqual(broken.breaches, ['locked_up', 'country_not_allowed'])
    const work = () => world.settled.world.rows(`select from cell.unrequested_transfer where verdict is null`)
    assert.equal((await work()).length, 2)
    const unrequestedTransferId = broken.id
    const judged = await world.run(
      judgeUnrequestedTransfer,
      { unrequestedTransferId },
      { verdict: 'reported', note: 'to the issuer' },
    )
    assert.deepEqual([judged.verdict, judged.note], ['reported', 'to the issuer'])
    assert.equal((await world.unrequested()).length, 2, 'what is judged stays listed')
    assert.equal((await work()).length, 1)
    await world.run(setLockUp, { offeringId: world.offeringId }, { lock_up_until: null, reason })
    await world.run(setEligibility, { offeringId: world.offeringId }, openRules)
  })

  test('each precondition blocks the approval and names its remedy; clearing it lets the approval pass', async () => {
    const { world: base } = world.settled
    const { offeringId } = world
    const { id } = await world.request(seller, buyer)
    const set = (text: string, values: unknown[]) => base.rows(text, values)
    const lockUp = (lock_up_until: string | null) => world.run(setLockUp, { offeringId }, { lock_up_until, reason })
    const kyc = (status: string) =>
      set('update cell.account set kyc_status = $2 where id = $1', [buyer.accountId, status])
    const wallet = (party: Party, status: string) =>
      set('update cell.wallet set status = $2 where id = $1', [party.walletId, status])
    const holder = (isRegistered: boolean) =>
      set('update cell.token_holder set is_registered = $2 where wallet_id = $1', [seller.walletId, isRegistered])
    const stop = (text: string | null) =>
      set('update cell.offering set minting_stopped = $2 where id = $1', [offeringId, text])
    const rules = (change: object) => world.run(setEligibility, { offeringId }, { ...openRules, ...change })
    for (const [code, block, clear] of [
      ['locked_up', () => lockUp(new Date(Date.now() + 60_000).toISOString()), () => lockUp(null)],
      ['receiver_approval_missing', () => kyc('PENDING'), () => kyc('APPROVED')],
      ['receiver_wallet_inactive', () => wallet(buyer, 'SUSPENDED'), () => wallet(buyer, 'ACTIVE')],
      ['sender_wallet_inactive', () => wallet(seller, 'SUSPENDED'), () => wallet(seller, 'ACTIVE')],
      ['sender_not_registered', () => holder(false), () => holder(true)],
      ['offering_paused', () => stop('paused'), () => stop(null)],
      [
        'offering_paused',
        () => world.run(pauseOffering, { offeringId }, { reason }),
        () => world.run(resumeOffering, { offeringId }, { reason }),
      ],
      ['country_not_allowed', () => rules({ allowed_countries: ['FR'] }), () => rules({})],
      ['account_not_invited', () => rules({ is_invited_only: true }), () => rules({})],
    ] as const) {
      await block()
      const { blockers } = await world.read(id)
      assert.deepEqual(pluck(blockers, 'code'), [code, 'approval_missing'])
      assert.ok(blockers.every(({ remedy }: { remedy: string }) => remedy.length > 10))
      await assert.rejects(approve(id), { code: 'transfer_blocked' })
      await clear()
    }
    await lockUp(new Date(Date.now() - 1_000).toISOString())
    assert.deepEqual(await world.codesOf(id), ['approval_missing'], 'lock-up is over')
    assert.equal((await approve(id)).status, 'READY')
    const many = await world.request(seller, buyer, { units: String(one * 1000n) })
    assert.deepEqual(await world.codesOf(many.id), ['units_missing', 'approval_missing'])
    await assert.rejects(approve(many.id), { code: 'transfer_blocked' })
    const rejected = await world.run(rejectTransfer, { transferId: many.id }, { reason: 'too many' })
    assert.deepEqual([rejected.status, rejected.rejection], ['REJECTED', 'too many'])
    assert.deepEqual(await typesOf(many.id), ['transfer.created', 'transfer.rejected'])
    await assert.rejects(approve(many.id), { code: 'transfer_not_in_state' })
    const cancelled = await world.run(cancelTransfer, { transferId: id })
    assert.equal(cancelled.status, 'CANCELLED')
    assert.deepEqual(await world.run(cancelTransfer, { transferId: id }), cancelled)
    assert.deepEqual(await typesOf(id), ['transfer.created', 'transfer.ready', 'transfer.cancelled'])
  })

  test('a cancelled request does not take the transfer of another, even when both happen at once', async () => {
    const [first, second] = [await ready(), await ready()]
    await world.send(seller, buyer)
    const { installation } = world.settled
    const waiting = (count: number) => async () => (await waitingForLocks(installation)) === count
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from cell.token_transfer where id = $1 for update', [first])
      const cancelling = world.run(cancelTransfer, { transferId: first })
      await until('the cancellation waits', waiting(1))
      const indexing = world.settled.index()
      await until('the indexer waits', waiting(2))
      await client.query('commit')
      await Promise.all([cancelling, indexing])
    })
    const statuses = async () => [(await world.read(first)).status, (await world.read(second)).status]
    assert.deepEqual(await statuses(), ['CANCELLED', 'SENT'])
    await world.finalize()
    assert.deepEqual(await statuses(), ['CANCELLED', 'DONE'])
    assert.equal((await world.unrequested()).length, 2, 'no transfer is without a request')
  })

  test('integrators list transfers in pages, and a request must name matching wallets', async () => {
    const query = { limit: 10, status: 'DONE' }
    const { transfers } = await world.run(listTransfers, {}, undefined, query)
    assert.ok(transfers.length >= 4)
    const rest = await world.run(listTransfers, {}, undefined, { ...query, before: transfers[0].id })
    assert.deepEqual(rest.transfers, transfers.slice(1))
    const own = await world.secondWallet(buyer)
    await assert.rejects(world.request(buyer, buyer), { code: 'validation_failed' })
    await assert.rejects(world.request(buyer, own), { code: 'validation_failed' })
    await assert.rejects(world.request(seller, buyer, { reason: 'lost_keys' }), { code: 'validation_failed' })
    await assert.rejects(world.request(seller, { ...buyer, walletId: crypto.randomUUID() }), { code: 'not_found' })
    await assert.rejects(world.request(seller, buyer, { offering_id: crypto.randomUUID() }), { code: 'not_found' })
    const { reason: why } = await world.request(buyer, own, { reason: 'change_of_wallet' })
    assert.equal(why, 'change_of_wallet')
  })
})

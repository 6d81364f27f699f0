import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Address } from 'viem'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { waitingAlarms } from '../../../../test/harness/data/waiting-alarms.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { SettledWorld } from '../../../../test/harness/tokens/settled-world.ts'
import { planAll } from '../../../../test/harness/tokens/settlement-world.ts'
import { createLogger } from '../../../platform/base/log.ts'

const otherSender: Address = '0x00000000000000000000000000000000000000AA'

describe('chain ops in the operator API', async () => {
  const settled = await SettledWorld.create()
  after(() => settled.end())
  const { installation, pool, world } = settled
  const api = await installation.startOperatorApi()
  const operator = await OperatorClient.create(installation, api, world.tenantId)

  const read = async (id: string) => (await operator.get(`/chain-ops/${id}`)).body
  const post = (id: string, action: string, body?: object) => operator.post(`/chain-ops/${id}/${action}`, body)
  const onlyIn = async (state: string) => {
    const { body } = await operator.get(`/chain-ops?state=${state}`)
    assert.equal(body.pagination.count, 1, JSON.stringify(body.results))
    return body.results[0]
  }
  const callOf = async (id: string) => {
    const rows = await world.rows('select to_address as to, data from cell.chain_op where id = $1', [id])
    return rows[0] as { to: Address; data: string }
  }

  /** Creates a mint that is signed but in no mempool. */
  async function lostMint(): Promise<{ id: string; orderId: string }> {
    const mint = await signedMint()
    await settled.chain.rpc('anvil_dropAllTransactions')
    return mint
  }

  async function signedMint(): Promise<{ id: string; orderId: string }> {
    const [orderId = ''] = await world.readyOrders(await world.investor(), 1)
    for (let cycle = 0; cycle < 20; cycle += 1) {
      await planAll(pool, world.context())
      await settled.advanceOps()
      const { body } = await operator.get('/chain-ops?state=SIGNED&kind=MINT')
      if (body.pagination.count === 1) return { id: body.results[0].id, orderId }
      await settled.chain.mine(5)
    }
    throw new Error('no mint was signed')
  }
  /** A log, and the lines of it that say how an op ended. */
  function watchedLog() {
    const lines: { level: string; msg: string }[] = []
    const log = createLogger('info', 'test', { write: (line: string) => void lines.push(JSON.parse(line)) })
    const endings = () => lines.filter(({ msg }) => / ended as /.test(msg)).map(({ level, msg }) => `${level}: ${msg}`)
    return { log, endings }
  }
  const statusOf = async (orderId: string) => (await operator.get(`/orders/${orderId}`)).body.status

  test('an op whose call was made with another nonce is FINAL, and its own nonce is consumed', async () => {
    await settled.advanceOps()
    const { id, kind, nonce } = await onlyIn('SIGNED')
    assert.deepEqual([kind, nonce], ['DEPLOY_FACTORY', 0])
    await settled.chain.rpc('anvil_dropAllTransactions')
    const hash = await settled.sendAs(otherSender, await callOf(id))
    const other = await settled.sendAs(otherSender, { to: otherSender, data: '0x' })
    await settled.chain.mine(1)
    assert.equal((await post(id, 'attach', { transaction_hash: other })).status, 200)
    await settled.advanceOps()
    assert.equal((await read(id)).is_cancelling, false, 'a transaction with another call does not count')
    assert.equal((await post(id, 'attach', { transaction_hash: hash })).status, 200)
    assertError(await post(id, 'attach', { transaction_hash: hash }), 409, 'transaction_already_attached')
    await settled.settle()
    const { state, attempts, mined_hash } = await read(id)
    assert.deepEqual([state, mined_hash], ['FINAL', hash])
    const last = attempts.at(-1)
    assert.deepEqual([last.is_cancellation, last.is_foreign], [true, false])
  })

  test('a bump raises the fee at once', async () => {
    const { id } = await lostMint()
    const initial = await read(id)
    assert.equal((await post(id, 'bump')).body.is_bumping, true)
    await settled.advanceOps()
    const { attempts, is_bumping } = await read(id)
    assert.deepEqual([initial.attempts.length, attempts.length, is_bumping], [1, 2, false])
    assert.ok(BigInt(attempts[1].max_fee_per_gas) > BigInt(attempts[0].max_fee_per_gas))
    await settled.advanceOps()
    assert.equal((await read(id)).attempts.length, 2, 'raised once')
    await settled.settle()
    for (const action of ['bump', 'cancel', 'retry']) assertError(await post(id, action), 409, 'chain_op_not_in_state')
  })

  test('a cancelled mint never happens, and a new mint includes its order', async () => {
    const { id, orderId } = await lostMint()
    const supply = await world.supply()
    assert.equal((await post(id, 'cancel')).body.is_cancelling, true)
    const { log, endings } = watchedLog()
    await settled.settle(world.context({ log }))
    const { state, attempts } = await read(id)
    assert.deepEqual([state, attempts.at(-1).is_cancellation], ['CANCELLED', true])
    assert.deepEqual(endings(), [], 'ends that were meant are no warning')
    assert.equal(await statusOf(orderId), 'MINTED')
    assert.equal(await world.supply(), supply + 100_000_000n)
  })

  test('a mint in ALARM is FINAL after an operator attaches the transaction that executed it', async () => {
    const { id, orderId } = await lostMint()
    const hash = await settled.sendAs(world.signer, await callOf(id))
    await settled.chain.mine(6)
    const { log, endings } = watchedLog()
    await settled.advanceOps(world.context({ log }))
    assert.deepEqual(endings(), ['error: a chain op (MINT) ended as ALARM'])
    assert.match(
      (await onlyIn('ALARM')).failure,
      /^nonce \d+ of the signer was used by a transaction that this service did not send/,
    )
    assert.ok((await waitingAlarms(installation, world.tenantId)).includes('chain_op.alarm'))
    assert.equal((await post(id, 'attach', { transaction_hash: hash.toUpperCase().replace('0X', '0x') })).status, 200)
    await settled.settle()
    assert.deepEqual([(await read(id)).state, await statusOf(orderId)], ['FINAL', 'MINTED'])
  })

  test('a receipt that appears between the two checks, after the nonce is used, raises no alarm', async () => {
    const { id, orderId } = await signedMint()
    await settled.chain.mine(6)
    const context = world.context()
    const chain = context.chains.get('anvil')
    assert.ok(chain)
    const receiptOf = chain.receipt.bind(chain)
    let looks = 0
    chain.receipt = async (hash) => {
      looks += 1
      return looks === 1 ? undefined : receiptOf(hash)
    }
    await settled.advanceOps(context)
    assert.deepEqual([looks, (await read(id)).state], [2, 'SIGNED'])
    await settled.settle()
    assert.deepEqual([(await read(id)).state, await statusOf(orderId)], ['FINAL', 'MINTED'])
  })

  test('a retry of a mint in ALARM mints the order once, although the mint has happened', async () => {
    const { id, orderId } = await lostMint()
    const supply = await world.supply()
    // The mint has happened, unknown to the service.
    await settled.sendAs(world.signer, await callOf(id))
    await settled.chain.mine(6)
    await settled.advanceOps()
    assert.equal((await read(id)).state, 'ALARM')
    assert.equal((await post(id, 'retry')).status, 200)
    assert.equal(await statusOf(orderId), 'READYTOMINT')
    assertError(await post(id, 'retry'), 409, 'chain_op_not_retryable')
    await settled.settle()
    assert.equal(await statusOf(orderId), 'MINTED')
    assert.equal(await world.supply(), supply + 100_000_000n)
  })

  test('a retry of a reverted registration registers its wallets', async () => {
    const [orderId = ''] = await world.readyOrders(await world.investor(), 1)
    await planAll(pool, world.context())
    const [op] = await world.rows<{ id: string }>(
      `update cell.chain_op set state = 'REVERTED', failure = 'x' where state = 'QUEUED' and kind = 'REGISTER_WALLETS'
       returning id`,
    )
    const { id } = op ?? { id: '' }
    const responses = await Promise.all([post(id, 'retry'), post(id, 'retry')])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409])
    await settled.settle()
    assert.equal(await statusOf(orderId), 'MINTED')
  })

  test('two concurrent retries enqueue one new op, and only the latest try can be retried', async () => {
    const id = crypto.randomUUID()
    await world.rows(
      `insert into cell.chain_op (tenant_id, id, chain, kind, dedupe_key, to_address, data, state)
       select tenant_id, $1, chain, kind, 'desk:test', to_address, data, 'REVERTED'
       from cell.chain_op where kind = 'DEPLOY_DESK'`,
      [id],
    )
    const responses = await Promise.all([post(id, 'retry'), post(id, 'retry')])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409])
    await settled.settle()
    const retried = await world.rows(`select dedupe_key, state from cell.chain_op where dedupe_key ~ '^desk:test:'`)
    assert.deepEqual(retried, [{ dedupe_key: 'desk:test:retry:1', state: 'FINAL' }])
    assertError(await post(id, 'retry'), 409, 'chain_op_not_retryable')
  })

  test('an order on hold is minted after an operator releases it', async () => {
    const [orderId = ''] = await world.readyOrders(await world.investor(), 1)
    await world.rows(`update cell.token_order set mint_hold_reason = 'x', mint_failures = 3 where id = $1`, [orderId])
    await settled.settle()
    assert.equal(await statusOf(orderId), 'READYTOMINT')
    const { body } = await operator.post(`/orders/${orderId}/release`)
    assert.deepEqual(body.blockers, [])
    await settled.settle()
    assertError(await operator.post(`/orders/${orderId}/release`), 409, 'order_not_in_state')
    assert.equal(await statusOf(orderId), 'MINTED')
  })

  test('a cancelled deployment can be retried, so that orders of its token can be minted; others cannot', async () => {
    for (const kind of ['DEPLOY_TOKEN', 'DEPLOY_DESK']) {
      // As if cancelled before it was sent. Its contract exists here, so the retry ends without a transaction.
      const [op] = await world.rows<{ id: string }>(
        `update cell.chain_op set state = 'CANCELLED'
         where id = (select id from cell.chain_op where kind = $1 and state = 'FINAL' limit 1) returning id`,
        [kind],
      )
      const retried = await post(op?.id ?? '', 'retry')
      assert.equal(retried.status, 200, retried.text)
      await settled.settle()
      assert.equal((await read(retried.body.id)).state, 'FINAL')
    }
    const [mint] = await world.rows<{ id: string }>(
      `update cell.chain_op set state = 'CANCELLED'
       where id = (select id from cell.chain_op where kind = 'MINT' and state = 'FINAL' limit 1) returning id`,
    )
    assertError(await post(mint?.id ?? '', 'retry'), 409, 'chain_op_not_in_state')
  })
})

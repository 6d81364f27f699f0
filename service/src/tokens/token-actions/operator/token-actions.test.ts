import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Address } from 'viem'
import { assertError } from '../../../../test/harness/api-client.ts'
import { OperatorClient } from '../../../../test/harness/operator-client.ts'
import { SettledWorld } from '../../../../test/harness/settled-world.ts'

const one = 100_000_000n

describe('token actions', () => {
  let settled: SettledWorld
  let proposer: OperatorClient
  let withoutDuty: OperatorClient
  let ann: OperatorClient
  let ben: OperatorClient
  let [first, second]: Address[] = []

  before(async () => {
    settled = await SettledWorld.create()
    const { installation, world } = settled
    const api = await installation.startOperatorApi()
    proposer = await OperatorClient.create(installation, api, world.tenantId, 'admin')
    withoutDuty = await OperatorClient.create(installation, api, world.tenantId, 'operator')
    ann = await OperatorClient.create(installation, api, world.tenantId, 'admin')
    ben = await OperatorClient.create(installation, api, world.tenantId, 'admin')
    ;[first, second] = await settled.minted(2)
  })
  after(() => settled.end())

  const propose = (body: object, by = proposer) =>
    by.post(`/offerings/${settled.world.offeringId}/token-actions`, { reason: 'court order', ...body })

  /** Proposes an action, has another user confirm it, and executes it. */
  async function act(body: object): Promise<void> {
    const { body: action, status, text } = await propose(body)
    assert.equal(status, 201, text)
    const confirmed = await ann.post(`/token-actions/${action.id}/confirm`)
    assert.equal(confirmed.status, 200, confirmed.text)
    await settled.settle()
    const op = await ann.get(`/chain-ops/${confirmed.body.chain_op_id}`)
    assert.deepEqual([op.body.state, op.body.failure], ['FINAL', null])
  }

  test('a confirmed action happens on the chain: freeze, forced transfer, burn, pause, unpause', async () => {
    await act({ kind: 'FREEZE', wallet_address: first, units: String(one) })
    assert.equal(await settled.readToken('getFrozenTokens', [first]), one)
    await act({ kind: 'FREEZE', wallet_address: first, units: '0' })
    assert.equal(await settled.readToken('getFrozenTokens', [first]), 0n)
    await act({ kind: 'FORCED_TRANSFER', wallet_address: first, to_address: second, units: String(one / 2n) })
    assert.equal(await settled.readToken('balanceOf', [first]), one / 2n)
    assert.equal(await settled.readToken('balanceOf', [second]), one + one / 2n)
    await act({ kind: 'BURN', wallet_address: second, units: String(one) })
    assert.equal(await settled.readToken('totalSupply'), one)
    await act({ kind: 'PAUSE' })
    assert.equal(await settled.readToken('paused'), true)
    // While the token is paused no mint is planned, so none reverts and no order is put on hold.
    await settled.world.readyOrders(await settled.world.investor(), 1)
    await settled.settle()
    assert.equal((await settled.world.statuses())['READYTOMINT'], 1)
    await act({ kind: 'UNPAUSE' })
    assert.equal(await settled.readToken('paused'), false)
    await settled.settle()
    assert.equal((await settled.world.statuses())['READYTOMINT'], undefined)
    const grants = await settled.world.rows(`select dedupe_key from cell.chain_op where kind = 'GRANT_ROLE'`)
    assert.equal(grants.length, 4, 'each role is granted once')
  })

  test('the cap of a new token is the total of the offering', async () => {
    const [offering] = await settled.world.rows<{ total: string }>(
      'select total_units::text as total from cell.offering where id = $1',
      [settled.world.offeringId],
    )
    assert.equal(await settled.readToken('cap'), BigInt(offering?.total ?? 0))
  })

  test('a confirmed SET_CAP changes the cap, and an order beyond it is put on hold with the reason', async () => {
    const { world } = settled
    const supply = await settled.readToken<bigint>('totalSupply')
    await act({ kind: 'SET_CAP', units: String(supply + one) })
    assert.equal(await settled.readToken('cap'), supply + one)
    await world.readyOrders(await world.investor(), 2)
    await settled.settle()
    assert.equal(await settled.readToken('totalSupply'), supply + one)
    const onHold = await world.rows(
      'select mint_hold_reason as reason from cell.token_order where mint_hold_reason <> $1',
      [''],
    )
    assert.deepEqual(onHold, [{ reason: `CapExceeded(${supply + one}, ${supply + one}, ${one})` }])
    await act({ kind: 'SET_CAP', units: String(supply + 2n * one) })
    await world.rows(`update cell.token_order set mint_hold_reason = null`)
    await settled.settle()
    assert.equal(await settled.readToken('totalSupply'), supply + 2n * one)
  })

  test('the user who proposed an action cannot confirm it, nor can a user without the duty token', async () => {
    const { body } = await propose({ kind: 'PAUSE' }, ann)
    assertError(await ann.post(`/token-actions/${body.id}/confirm`), 403, 'second_admin_required')
    assertError(await withoutDuty.post(`/token-actions/${body.id}/confirm`), 403, 'insufficient_duty')
    assert.equal((await ann.get(`/token-actions/${body.id}`)).body.state, 'proposed')
    const alone = `update cell.token_action set state = 'confirmed', decided_by = proposed_by, decided_at = now(),
                   op_id = (select id from cell.chain_op limit 1) where id = $1`
    await assert.rejects(settled.world.rows(alone, [body.id]), { constraint: 'token_action_four_eyes' })
    assert.equal((await ann.post(`/token-actions/${body.id}/reject`)).body.state, 'rejected')
    assertError(await ben.post(`/token-actions/${body.id}/confirm`), 409, 'token_action_not_in_state')
  })

  test('concurrent confirmations execute the action once', async () => {
    const { body } = await propose({ kind: 'BURN', wallet_address: first, units: '1' })
    const supply = await settled.readToken<bigint>('totalSupply')
    const responses = await Promise.all([ann, ben, ann, ben].map((by) => by.post(`/token-actions/${body.id}/confirm`)))
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal(new Set(responses.map((response) => response.body.chain_op_id)).size, 1)
    await settled.settle()
    assert.equal(await settled.readToken('totalSupply'), supply - 1n)
  })

  test('an expired action cannot be confirmed', async () => {
    const { body } = await propose({ kind: 'PAUSE' })
    await settled.world.rows(`update cell.token_action set expires_at = now() where id = $1`, [body.id])
    assertError(await ann.post(`/token-actions/${body.id}/confirm`), 409, 'token_action_not_in_state')
    const { body: list } = await ann.get('/token-actions?state=expired')
    assert.deepEqual(
      list.results.map(({ id }: { id: string }) => id),
      [body.id],
    )
  })

  test('a proposal with a missing, superfluous or mistyped member is rejected', async () => {
    const wrong = `${first?.slice(0, -1)}${first?.endsWith('0') ? '1' : '0'}`
    for (const [body, pointers] of [
      [{ kind: 'FREEZE' }, ['/wallet_address', '/units']],
      [{ kind: 'BURN', wallet_address: first, units: '0' }, ['/units']],
      [{ kind: 'PAUSE', units: '1' }, ['/units']],
      [{ kind: 'SET_CAP', wallet_address: first }, ['/wallet_address', '/units']],
      [{ kind: 'BURN', wallet_address: wrong, units: '1' }, ['/wallet_address']],
      [{ kind: 'FORCED_TRANSFER', wallet_address: first, to_address: first, units: '1' }, ['/to_address']],
    ] as const) {
      const response = await propose(body)
      assertError(response, 400, 'validation_failed')
      const found = response.body.error.errors.map(({ pointer }: { pointer: string }) => pointer)
      assert.deepEqual(found, pointers, JSON.stringify(body))
    }
  })

  test('an action that would revert ends as REVERTED and cannot be retried', async () => {
    const { body } = await propose({ kind: 'BURN', wallet_address: first, units: String(one * 1000n) })
    const { body: confirmed } = await ann.post(`/token-actions/${body.id}/confirm`)
    await settled.settle()
    const { body: op } = await ann.get(`/chain-ops/${confirmed.chain_op_id}`)
    assert.equal(op.state, 'REVERTED')
    assert.match(op.failure, /ERC20InsufficientBalance/)
    assertError(await ann.post(`/chain-ops/${op.id}/retry`), 409, 'chain_op_not_retryable')
  })
})

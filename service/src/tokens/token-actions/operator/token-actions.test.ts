import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { SettledWorld } from '../../../../test/harness/tokens/settled-world.ts'
import { inCellTransaction } from '../../../platform/postgres/cells/tenant-transaction.ts'
import { chainOpHandlers } from '../../chain-op-handlers.ts'
import { findChainOp } from '../../chain-ops/chain-op.sql.ts'

const one = 100_000_000n

describe('token actions', async () => {
  const settled = await SettledWorld.create()
  after(() => settled.end())
  const { installation, world } = settled
  const api = await installation.startOperatorApi()
  const proposer = await OperatorClient.create(installation, api, world.tenantId, 'admin')
  const second = await OperatorClient.create(installation, api, world.tenantId, 'admin')
  const [first, other] = await settled.minted(2)

  const propose = (body: object, by = proposer) =>
    by.post(`/offerings/${world.offeringId}/token-actions`, { reason: 'court order', ...body })
  const proposed = async (body: object): Promise<string> => {
    const response = await propose(body)
    assert.equal(response.status, 202, response.text)
    return response.body.approval_id
  }
  const decide = (actionId: string, verb: string, by: OperatorClient = second) =>
    api.call('POST', `/approvals/${actionId}/${verb}`, { cookie: by.who.cookie })
  const stateOf = async (actionId: string) => (await second.get(`/token-actions/${actionId}`)).body.state
  const opsOf = (actionId: string) =>
    world.rows('select id, state from cell.chain_op where dedupe_key = $1', [`action:${actionId}`])

  /** Proposes an action and has another person confirm it. Returns its id, and the chain op. */
  async function confirmed(body: object): Promise<{ actionId: string; opId: string }> {
    const actionId = await proposed(body)
    const response = await decide(actionId, 'confirm')
    assert.equal(response.status, 200, response.text)
    return { actionId, opId: response.body.result.id }
  }

  /** Has an action confirmed, and executes it. */
  async function act(body: object): Promise<void> {
    const { actionId, opId } = await confirmed(body)
    assert.equal(await stateOf(actionId), 'executing')
    await settled.settle()
    const op = await second.get(`/chain-ops/${opId}`)
    assert.deepEqual([op.body.state, op.body.failure], ['FINAL', null])
    assert.equal(await stateOf(actionId), 'executed')
  }

  test('a confirmed action happens on the chain: freeze, forced transfer, burn, pause, unpause', async () => {
    await act({ kind: 'FREEZE', wallet_address: first, units: String(one) })
    assert.equal(await settled.readToken('getFrozenTokens', [first]), one)
    await act({ kind: 'FREEZE', wallet_address: first, units: '0' })
    assert.equal(await settled.readToken('getFrozenTokens', [first]), 0n)
    await act({ kind: 'FORCED_TRANSFER', wallet_address: first, to_address: other, units: String(one / 2n) })
    assert.equal(await settled.readToken('balanceOf', [first]), one / 2n)
    assert.equal(await settled.readToken('balanceOf', [other]), one + one / 2n)
    await act({ kind: 'BURN', wallet_address: other, units: String(one) })
    assert.equal(await settled.readToken('totalSupply'), one)
    await act({ kind: 'PAUSE' })
    assert.equal(await settled.readToken('paused'), true)
    // While the token is paused no mint is planned, so none reverts and no order is put on hold.
    await world.readyOrders(await world.investor(), 1)
    await settled.settle()
    assert.equal((await world.statuses())['READYTOMINT'], 1)
    await act({ kind: 'UNPAUSE' })
    assert.equal(await settled.readToken('paused'), false)
    await settled.settle()
    assert.equal((await world.statuses())['READYTOMINT'], undefined)
    const grants = await world.rows(`select dedupe_key from cell.chain_op where kind = 'GRANT_ROLE'`)
    assert.equal(grants.length, 4, 'each role is granted once')
  })

  test('the cap of a new token is the total of the offering', async () => {
    const [offering] = await world.rows<{ total: string }>(
      'select total_units::text as total from cell.offering where id = $1',
      [world.offeringId],
    )
    assert.equal(await settled.readToken('cap'), BigInt(offering?.total ?? 0))
  })

  test('a confirmed SET_CAP changes the cap, and an order beyond it is put on hold with the reason', async () => {
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

  test('an offering sells no more than the cap of its token: the cap is raised first, then the total', async () => {
    const seller = await OperatorClient.create(installation, api, world.tenantId, 'all duties')
    const read = async () => (await seller.get(`/offerings/${world.offeringId}`)).body
    const { total_units: total, token_cap: low } = await read()
    assert.equal(await settled.readToken('cap'), BigInt(low), 'the cap that the test above has set')
    assert.ok(BigInt(low) < BigInt(total), 'two persons may lower the cap below the total')
    const raise = (units: bigint) =>
      seller.post(`/offerings/${world.offeringId}/terms`, { total_units: String(units), reason: 'second tranche' })
    const rejected = await raise(BigInt(total) + one)
    assertError(rejected, 409, 'token_cap_too_low')
    assert.match(rejected.body.error.message, new RegExp(`at most ${low}, .* SET_CAP`))

    const actionId = await proposed({ kind: 'SET_CAP', units: String(BigInt(total) + one) })
    assert.equal((await decide(actionId, 'confirm')).status, 200)
    assertError(await raise(BigInt(total) + one), 409, 'token_cap_too_low')
    await settled.settle()
    assert.equal((await read()).token_cap, String(await settled.readToken('cap')))
    assertError(await raise(BigInt(total) + one + 1n), 409, 'token_cap_too_low')
    const terms = await raise(BigInt(total) + one)
    assert.equal(terms.status, 202, terms.text)
    assert.equal((await decide(terms.body.approval_id, 'confirm')).status, 200)
    assert.equal((await read()).total_units, (await read()).token_cap)
    // A worker that was slower with an earlier op does not restore its cap.
    const [earlier] = await world.rows<{ id: string }>(
      `select id from cell.chain_op where kind = 'SET_CAP' order by nonce limit 1`,
    )
    const key = { tenantId: world.tenantId, opId: earlier?.id ?? '' }
    await inCellTransaction(installation.databases, { cell: 'main', tenantId: world.tenantId }, async (tx) => {
      const op = await findChainOp(tx, key)
      if (op) await chainOpHandlers.SET_CAP.onFinal?.(tx, op, new Date())
    })
    assert.equal((await read()).token_cap, (await read()).total_units)
  })

  test('a proposal changes nothing, and shows what was proposed', async () => {
    const actionId = await proposed({ kind: 'PAUSE' })
    const shown = (await second.get(`/token-actions/${actionId}`)).body
    assert.deepEqual(
      [shown.offering_id, shown.kind, shown.reason, shown.state, shown.proposed_by, shown.chain_op_id],
      [world.offeringId, 'PAUSE', 'court order', 'pending', proposer.who.userId, null],
    )
    const [names] = await world.rows<{ offering: string; proposer: string }>(
      `select (select name from cell.offering where id = $1) as offering,
              (select name from directory.operator_user where id = $2) as proposer`,
      [world.offeringId, proposer.who.userId],
    )
    assert.deepEqual([shown.offering_name, shown.proposed_by_name], [names?.offering, names?.proposer])
    assert.equal(shown.decided_by_name, null)
    const [listed] = (await second.get('/token-actions?state=pending')).body.results
    assert.deepEqual(listed, shown)
    assert.deepEqual(await opsOf(actionId), [])
    const [offering] = await world.rows('select minting_stopped from cell.offering where id = $1', [world.offeringId])
    assert.deepEqual(offering, { minting_stopped: null }, 'the run at the proposal is rolled back')
    assert.equal((await decide(actionId, 'withdraw', proposer)).body.state, 'withdrawn')
    assert.equal(await stateOf(actionId), 'withdrawn')
  })

  test('one person cannot confirm, whatever users and tokens they have; the database demands two users', async () => {
    const withoutDuty = await OperatorClient.create(installation, api, world.tenantId, 'operator')
    const invited = await installation.createOperator(world.tenantId, { role: 'admin', invitedBy: proposer.who.userId })
    const actionId = await proposed({ kind: 'PAUSE' })
    assertError(await decide(actionId, 'confirm', proposer), 403, 'second_person_required')
    assertError(await second.post(`/approvals/${actionId}/confirm`), 403, 'session_required')
    assertError(await decide(actionId, 'confirm', withoutDuty), 403, 'insufficient_duty')
    const asInvited = await api.call('POST', `/approvals/${actionId}/confirm`, { cookie: invited.cookie })
    assertError(asInvited, 403, 'second_person_too_new')
    const alone = `update base.approval set state = 'confirmed', decided_by = proposed_by, decided_at = now() where id = $1`
    await assert.rejects(world.rows(alone, [actionId]), { constraint: 'approval_two_users' })
    assert.deepEqual(await opsOf(actionId), [])
    assert.equal((await decide(actionId, 'reject')).body.state, 'rejected')
    assert.equal(await stateOf(actionId), 'rejected')
    assertError(await decide(actionId, 'confirm'), 409, 'approval_not_pending')
  })

  test('a user who has never signed in can propose, but neither acts alone nor is confirmed', async () => {
    const unknown = await OperatorClient.create(installation, api, world.tenantId, 'admin')
    await world.rows('update directory.operator_session set revoked_at = now() where user_id = $1', [
      unknown.who.userId,
    ])
    await world.rows('update directory.operator_user set identity_id = null where id = $1', [unknown.who.userId])
    const response = await propose({ kind: 'PAUSE' }, unknown)
    assert.equal(response.status, 202, response.text)
    assertError(await decide(response.body.approval_id, 'confirm'), 403, 'second_person_required')
  })

  test('concurrent confirmations execute the action once, and the audit log names both persons', async () => {
    const actionId = await proposed({ kind: 'BURN', wallet_address: first, units: '1' })
    const supply = await settled.readToken<bigint>('totalSupply')
    const responses = await Promise.all(Array.from({ length: 10 }, () => decide(actionId, 'confirm')))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 9 }, () => 409)])
    assert.equal((await opsOf(actionId)).length, 1)
    await settled.settle()
    assert.equal(await settled.readToken('totalSupply'), supply - 1n)
    const audited = await world.rows(
      `select actor_id, confirmed_by, approval_id from base.audit_log where action = 'token_action.confirmed'
       and subject_id = $1`,
      [actionId],
    )
    const both = { actor_id: proposer.who.userId, confirmed_by: second.who.userId, approval_id: actionId }
    assert.deepEqual(audited, [both])
  })

  test('an expired action cannot be confirmed, and the list filters by state and offering', async () => {
    const actionId = await proposed({ kind: 'PAUSE' })
    await world.rows(`update base.approval set expires_at = now() where id = $1`, [actionId])
    assertError(await decide(actionId, 'confirm'), 409, 'approval_not_pending')
    const idsIn = async (query: string): Promise<string[]> =>
      (await second.get(`/token-actions?${query}`)).body.results.map(({ id }: { id: string }) => id)
    assert.deepEqual(await idsIn('state=expired'), [actionId])
    assert.deepEqual(await idsIn(`state=expired&offering_id=${world.offeringId}`), [actionId])
    assert.deepEqual(await idsIn(`state=expired&offering_id=${crypto.randomUUID()}`), [])
  })

  test('an action on a token that has changed since is rejected', async () => {
    const actionId = await proposed({ kind: 'PAUSE' })
    const deployed = 'update cell.offering set token_deployed_at = token_deployed_at + $2::interval where id = $1'
    await world.rows(deployed, [world.offeringId, '1 second'])
    assertError(await decide(actionId, 'confirm'), 409, 'subject_changed')
    await world.rows(deployed, [world.offeringId, '-1 second'])
    assert.equal((await decide(actionId, 'reject')).status, 200)
  })

  test('one operator cannot cancel an action that two confirmed, nor the grant before it; two can, and the action shows it', async () => {
    const { tenantId } = world
    const operator = await OperatorClient.create(installation, api, tenantId, 'operator')
    const { actionId, opId } = await confirmed({ kind: 'FREEZE', wallet_address: first, units: '1' })
    const response = await operator.post(`/chain-ops/${opId}/cancel`)
    assert.deepEqual([response.status, response.body.confirm_duty], [202, 'token'])
    assert.equal((await second.get(`/chain-ops/${opId}`)).body.is_cancelling, false)
    assertError(await decide(response.body.approval_id, 'confirm', operator), 403, 'insufficient_duty')
    // A worker that checks the op in between does not invalidate the proposal.
    await world.rows('update cell.chain_op set next_check_at = next_check_at + interval $$1 s$$ where id = $1', [opId])
    assert.equal((await decide(response.body.approval_id, 'confirm')).status, 200)
    await settled.settle()
    assert.equal(await stateOf(actionId), 'cancelled')
    assert.equal(await settled.readToken('getFrozenTokens', [first]), 0n)
    const [grant] = await world.rows<{ id: string }>(
      `update cell.chain_op set state = 'QUEUED' where id = (select id from cell.chain_op where kind = 'GRANT_ROLE' limit 1)
       returning id`,
    )
    assert.equal((await operator.post(`/chain-ops/${grant?.id}/cancel`)).status, 202)
    await world.rows(`update cell.chain_op set state = 'FINAL' where id = $1`, [grant?.id])
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

  test('an action that would revert ends as reverted and cannot be retried', async () => {
    const { actionId, opId } = await confirmed({ kind: 'BURN', wallet_address: first, units: String(one * 1000n) })
    await settled.settle()
    const { body: op } = await second.get(`/chain-ops/${opId}`)
    assert.deepEqual([op.state, await stateOf(actionId)], ['REVERTED', 'reverted'])
    assert.match(op.failure, /ERC20InsufficientBalance/)
    assertError(await second.post(`/chain-ops/${op.id}/retry`), 409, 'chain_op_not_retryable')
  })
})

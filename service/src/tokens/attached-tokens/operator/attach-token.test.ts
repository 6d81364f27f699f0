import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Address } from 'viem'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { newOffering } from '../../../../test/harness/data/bodies.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { SettledWorld } from '../../../../test/harness/tokens/settled-world.ts'
import { planAll } from '../../../../test/harness/tokens/settlement-world.ts'
import { deployTokenCall, mintCall, registrationCall, tokenAddressOf } from '../../chain/contracts.ts'

const emptyAddress: Address = '0x00000000000000000000000000000000000000AA'
const holders: readonly [Address, Address] = [
  '0x00000000000000000000000000000000000000B1',
  '0x00000000000000000000000000000000000000b2',
]

describe('an existing token that an operator attaches to a draft', async () => {
  const settled = await SettledWorld.create()
  after(() => settled.end())
  const { chain, installation, pool, world } = settled
  const operator = await OperatorClient.create(installation, await installation.startOperatorApi(), world.tenantId)
  await settled.settle()
  const [row] = await world.rows<{ desk: Address }>('select desk_address as desk from cell.chain_signer')
  const desk = row?.desk ?? '0x'
  const token = await deployed()

  /** Deploys a token of the tenant's desk. For a holder, mints one unit of it without an order. */
  async function deployed(holder?: Address): Promise<Address> {
    const { name, symbol, decimals } = newOffering
    const id = crypto.randomUUID()
    const terms = { name, symbol, decimals, cap: 10n ** 18n, admin: world.signer, lockUpUntil: null }
    const address = tokenAddressOf(desk, id)
    const calls = [deployTokenCall(desk, id, terms)]
    if (holder)
      calls.push(
        registrationCall(desk, address, [holder], true),
        mintCall(desk, address, [{ orderId: crypto.randomUUID(), to: holder, units: 1n }]),
      )
    for (const call of calls) {
      await settled.sendAs(world.signer, call)
      await chain.mine(1)
    }
    // The service did not send these transactions, so it would allocate their nonces again.
    await world.rows('update cell.chain_signer set next_nonce = next_nonce + $1', [calls.length])
    return address
  }

  async function attached(address: string, change: object = {}) {
    const draft = await operator.post('/offerings', { ...newOffering, blockchain: 'anvil', ...change })
    const path = `/offerings/${draft.body.id}`
    const response = await operator.post(`${path}/attach-token`, { address })
    assert.equal(response.status, 200, response.text)
    assertError(await operator.post(`${path}/open`), 409, 'offering_incomplete')
    await planAll(pool, world.context())
    return { path, offering: (await operator.get(path)).body }
  }

  test('is rejected with the reason, and the draft cannot be opened until the token is removed', async () => {
    for (const [address, change, rejection] of [
      [emptyAddress, {}, /no contract/],
      [token, { symbol: 'OTHER' }, /symbol/],
      [token, { decimals: 9 }, /8 decimals and the offering 9/],
      ['0x4e59b44847b379578588920cA78FbF26c0B4956C', {}, /not a permissioned token/],
      [await settled.token(), {}, /token of another offering/],
    ] as const) {
      const { path, offering } = await attached(address, change)
      assert.equal(offering.token_address, null)
      assert.match(offering.token_rejection, rejection)
      assertError(await operator.post(`${path}/open`), 409, 'offering_incomplete')
      await operator.post(`${path}/attach-token`, { address: null })
      assert.equal((await operator.post(`${path}/open`)).status, 200)
    }
  })

  test('that passes the check becomes the token of the offering, and orders are minted with it', async () => {
    const { path, offering } = await attached(token)
    assert.deepEqual([offering.token_rejection, offering.token_address], [null, token])
    assert.equal((await operator.post(`${path}/open`)).status, 200)
    assertError(await operator.post(`${path}/attach-token`, { address: null }), 409, 'offering_not_draft')
    const attachedWorld = world.of(offering.id)
    await attachedWorld.readyOrders(await attachedWorld.investor(), 2)
    await settled.settle()
    assert.deepEqual(await attachedWorld.statuses(), { MINTED: 2 })
    assert.equal(await attachedWorld.supply(), 200_000_000n)
    const ops = await world.rows(`select from cell.chain_op where offering_id = $1 and kind = 'DEPLOY_TOKEN'`, [
      offering.id,
    ])
    assert.equal(ops.length, 0)
  })

  test('and replaces before the offering opens is not indexed: the register has only holders of the last token', async () => {
    const [replaced, last] = [await deployed(holders[0]), await deployed(holders[1])]
    const registerOf = async ({ id }: { id: string }) => {
      await chain.mine(6)
      await settled.index()
      const rows = await world.rows<{ address: Address }>(
        'select address from cell.holding where offering_id = $1 and units > 0',
        [id],
      )
      return rows.map(({ address }) => address)
    }
    const { path, offering } = await attached(replaced)
    assert.equal(offering.token_address, replaced)
    assert.deepEqual(await registerOf(offering), [])
    // An earlier release did index drafts.
    await world.rows(
      'insert into cell.indexed_token (chain, token_address, desk_address, backfilled_to, is_backfilled) ' +
        `values ('anvil', $1, $2, 1, true)`,
      [replaced.toLowerCase(), desk.toLowerCase()],
    )
    await operator.post(`${path}/attach-token`, { address: last })
    await planAll(pool, world.context())
    assert.equal((await operator.post(`${path}/open`)).status, 200)
    assert.deepEqual(await registerOf(offering), [holders[1]])
    const second = await attached(replaced)
    assert.deepEqual(await registerOf(second.offering), [])
    assert.equal((await operator.post(`${second.path}/open`)).status, 200)
    assert.deepEqual(await registerOf(second.offering), [holders[0]], 'its history is read from the first block')
    assert.deepEqual(await registerOf(offering), [holders[1]])
  })
})

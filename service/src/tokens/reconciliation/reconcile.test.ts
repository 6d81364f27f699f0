import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Address } from 'viem'
import { assertError } from '../../../test/harness/api-client.ts'
import { OperatorClient } from '../../../test/harness/operator-client.ts'
import { startNode } from '../../../test/harness/process.ts'
import { SettledWorld } from '../../../test/harness/settled-world.ts'
import { tokenCall } from '../chain/contracts.ts'
import { reconcile, reconcileAll } from './reconcile.ts'

const one = 100_000_000n

describe('the reconciliation of the ledger with the chain', () => {
  let settled: SettledWorld
  let admin: OperatorClient
  let holders: Address[] = []

  before(async () => {
    settled = await SettledWorld.create()
    const { installation, world } = settled
    const api = await installation.startOperatorApi()
    admin = await OperatorClient.create(installation, api, world.tenantId, 'admin')
    holders = await settled.minted(3)
  })
  after(() => settled.end())

  const offeringPath = () => `/offerings/${settled.world.offeringId}`
  const compare = () => reconcileAll(settled.pool, settled.world.context())
  const stopped = async (): Promise<string | null> => (await admin.get(offeringPath())).body.minting_stopped
  const resume = () => admin.postTogether(`${offeringPath()}/resume-minting`, { reason: 'investigated' })
  const everything = () =>
    settled.world.rows(`select (select jsonb_agg(offering) from cell.offering) as offerings,
                               (select count(*) from base.audit_log) as audited`)
  const setBalance = (address: Address | undefined, change: number) =>
    settled.world.rows(
      `update cell.wallet_balance set balance = balance + $2
       where wallet_id = (select id from cell.wallet where public_address = $1)`,
      [address, change],
    )
  const changeLog = (address: Address | undefined, change: number) =>
    settled.world.rows(
      `update cell.token_log set units = units + $2 where kind = 'transfer' and to_address = $1 and block_number =
         (select min(block_number) from cell.token_log where to_address = $1)`,
      [address, change],
    )
  async function maintain(...args: string[]) {
    const { tenantId, offeringId } = settled.world
    const command = ['./src/main/maintain.ts', ...args, '--tenant', tenantId, '--offering', offeringId]
    const run = startNode(command, { ...settled.installation.settings, ...settled.world.settings })
    return { code: await run.ended, output: run.output }
  }
  const outsideMint = async (units: bigint) => {
    const [row] = await settled.world.rows<{ desk: Address }>('select desk_address as desk from cell.chain_signer')
    await settled.sendAs(row?.desk ?? '0x', tokenCall(await settled.token(), 'mint', [holders[0], units]))
    await settled.chain.mine(8)
    await settled.index()
  }

  test('finds no difference after mints and changes nothing', async () => {
    const { tenantId, offeringId } = settled.world
    const result = await reconcile(settled.world.context(), { tenantId, offeringId })
    assert.deepEqual(
      [result?.supplyOnChain, result?.supply, result?.issued, result?.holders, result?.differences],
      [3n * one, 3n * one, 3n * one, 3, []],
    )
    const untouched = await everything()
    await compare()
    assert.deepEqual(await everything(), untouched)
  })

  test('finds a balance that was changed in the database: minting stops once, with an audit entry', async () => {
    await setBalance(holders[1], 7)
    await compare()
    assert.equal(await stopped(), `${holders[1]} has 7 units more in its balance than in the log`)
    await compare()
    const audited = await settled.world.rows(
      `select actor_type from base.audit_log where action = 'offering.minting_stopped'`,
    )
    assert.deepEqual(audited, [{ actor_type: 'system' }])
    const [orderId = ''] = await settled.world.readyOrders(await settled.world.investor(), 1)
    await settled.settle()
    const { body: order } = await admin.get(`/orders/${orderId}`)
    assert.deepEqual([order.status, order.blockers[0].code], ['READYTOMINT', 'minting_stopped'])
    await setBalance(holders[1], -7)
    assert.equal((await resume()).status, 200)
    await compare()
    assert.equal(await stopped(), null)
    await settled.settle()
    assert.equal((await admin.get(`/orders/${orderId}`)).body.status, 'MINTED')
  })

  test('finds a log that was changed', async () => {
    await changeLog(holders[2], -1)
    await compare()
    assert.match((await stopped()) ?? '', /the token has 1 units more than the log; .*1 units more on the chain/)
    await changeLog(holders[2], 1)
    await resume()
    await compare()
    assert.equal(await stopped(), null)
  })

  test('finds a mint outside the desk; once accepted, only a further one stops minting again', async () => {
    await outsideMint(5n)
    await compare()
    assert.equal(await stopped(), 'the log has 5 units more minted than minted for orders')
    await resume()
    await compare()
    assert.equal(await stopped(), null)
    await outsideMint(1n)
    await compare()
    assert.equal(await stopped(), 'the log has 6 units more minted than minted for orders')
    const { code, output } = await maintain('--json', 'reconcile')
    assert.equal(code, 2, output.join())
    assert.deepEqual(JSON.parse(output.join()).differences, ['the log has 6 units more minted than minted for orders'])
  })

  test('lists the holders after any finalized block as the chain has them', async () => {
    const past = await settled.world.rows<{ block: string }>(
      `select distinct block_number as block from cell.token_log where applied_at is not null order by 1`,
    )
    for (const { block } of past) {
      const { body } = await admin.get(`${offeringPath()}/holders?block=${block}&limit=50`)
      assert.equal(body.block, Number(block))
      for (const { address, units } of body.results)
        assert.equal(BigInt(units), await settled.readToken('balanceOf', [address], BigInt(block)))
      const total = body.results.reduce((sum: bigint, { units }: { units: string }) => sum + BigInt(units), 0n)
      assert.equal(total, await settled.readToken('totalSupply', [], BigInt(block)))
    }
    const { block = '' } = past.at(-2) ?? {}
    const { body } = await admin.get(`${offeringPath()}/holders?block=${block}&limit=50&direction=asc`)
    const { code, output } = await maintain('holders', '--block', block, '--csv')
    assert.equal(code, 0, output.join())
    assert.deepEqual(output, [
      'address,units,wallet_id,account_id',
      ...body.results.map((holder: Record<string, string>) => Object.values(holder).join()),
    ])
    const head = await settled.chain.client.getBlockNumber()
    assertError(await admin.get(`${offeringPath()}/holders?block=${head}`), 409, 'block_not_finalized')
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Address, Hash } from 'viem'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { waitingAlarms } from '../../../test/harness/data/waiting-alarms.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { startMaintain } from '../../../test/harness/installation/process.ts'
import { SettledWorld } from '../../../test/harness/tokens/settled-world.ts'
import { Chain } from '../chain/chain.ts'
import { tokenCall } from '../chain/contracts.ts'
import { checkSigners } from '../signers/watch-signers.ts'
import { reconcile, reconcileAll } from './reconcile.ts'
import { reconcileOffering } from './reconcile-offering.job.ts'
import { checkNodes } from './watch-nodes.ts'

const one = 100_000_000n

describe('the reconciliation of the ledger with the chain', async () => {
  const settled = await SettledWorld.create()
  after(() => settled.end())
  const { installation, pool, world } = settled
  const { offeringId, tenantId } = world
  const api = await installation.startOperatorApi()
  const admin = await OperatorClient.create(installation, api, world.tenantId, 'admin')
  const holders = await settled.minted(3)

  const offeringPath = () => `/offerings/${world.offeringId}`
  const compare = () => reconcileAll(pool, world.context())
  const stopped = async (): Promise<string | null> => (await admin.get(offeringPath())).body.minting_stopped
  const resume = () => admin.postTogether(`${offeringPath()}/resume-minting`, { reason: 'investigated' })
  const everything = () =>
    world.rows(`select (select jsonb_agg(offering) from cell.offering) as offerings,
                               (select count(*) from base.audit_log) as audited`)
  const setBalance = (address: Address | undefined, change: number) =>
    world.rows(
      `update cell.wallet_balance set balance = balance + $2
       where wallet_id = (select id from cell.wallet where public_address = $1)`,
      [address, change],
    )
  const changeLog = (address: Address | undefined, change: number) =>
    world.rows(
      `update cell.token_log set units = units + $2 where kind = 'transfer' and to_address = $1 and block_number =
         (select min(block_number) from cell.token_log where to_address = $1)`,
      [address, change],
    )
  async function maintain(...args: string[]) {
    const command = [...args, '--tenant', tenantId, '--offering', offeringId]
    const run = startMaintain(command, { ...installation.settings, ...world.settings })
    return { code: await run.ended, output: run.output }
  }
  const outsideMint = async (units: bigint) => {
    const [row] = await world.rows<{ desk: Address }>('select desk_address as desk from cell.chain_signer')
    await settled.sendAs(row?.desk ?? '0x', tokenCall(await settled.token(), 'mint', [holders[0], units]))
    await settled.chain.mine(8)
    await settled.index()
  }

  test('finds no difference after mints and changes nothing', async () => {
    const result = await reconcile(world.context(), { tenantId, offeringId })
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
    const audited = await world.rows(`select actor_type from base.audit_log where action = 'offering.minting_stopped'`)
    assert.deepEqual(audited, [{ actor_type: 'system' }])
    assert.deepEqual(await waitingAlarms(installation, tenantId), ['offering.minting_stopped'])
    const [orderId = ''] = await world.readyOrders(await world.investor(), 1)
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

  test('finds a mint outside the desk; once that is accepted, only another one stops minting again', async () => {
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
    const past = await world.rows<{ block: string }>(
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
    const { body } = await admin.get(`${offeringPath()}/holders?block=${block}&limit=50&sort=address&direction=asc`)
    const { code, output } = await maintain('holders', '--block', block, '--csv')
    assert.equal(code, 0, output.join())
    assert.deepEqual(output, [
      'address,units,wallet_id,account_id',
      ...body.results.map(({ address, units, wallet_id, account_id }: Record<string, string>) =>
        [address, units, wallet_id, account_id].join(),
      ),
    ])
    const head = await settled.chain.client.getBlockNumber()
    assertError(await admin.get(`${offeringPath()}/holders?block=${head}`), 409, 'block_not_finalized')
  })

  test('finds an entry of the register that was changed', async () => {
    const change = (units: number) =>
      world.rows('update cell.holding set units = units + $2 where address = $1', [holders[0], units])
    await change(3)
    const result = await reconcile(world.context(), { tenantId, offeringId })
    assert.ok(result?.differences.includes(`${holders[0]} has 3 units more in the register than in the log`))
    await change(-3)
  })

  test('an operator can ask for a comparison now, and read its result', async () => {
    const { body: requested } = await admin.post(`${offeringPath()}/reconcile`)
    assert.equal(requested.state, 'requested')
    const compareNow = () => reconcileOffering.run({ tenant_id: tenantId, offering_id: offeringId }, world.context())
    await compareNow()
    const { body: compared } = await admin.get(`${offeringPath()}/reconciliation`)
    assert.equal(compared.state, 'different', 'the mints outside the desk above')
    assert.deepEqual(compared.differences, ['the log has 6 units more minted than minted for orders'])
    assert.equal(compared.figures.supply_on_chain, compared.figures.supply_in_log)
    await admin.post(`${offeringPath()}/reconcile`)
    const withoutNode = { ...world.context(), chains: new Map() }
    await reconcileOffering.run({ tenant_id: tenantId, offering_id: offeringId }, withoutNode)
    const { body: failed } = await admin.get(`${offeringPath()}/reconciliation`)
    assert.equal(failed.state, 'failed')
    assert.match(failed.problem, /no node of this chain/)
    await admin.post(`${offeringPath()}/reconcile`)
    const withDeadNode = world.context({
      chains: new Map([['anvil', new Chain('anvil', 'http://127.0.0.1:1')]]),
    })
    await reconcileOffering.run({ tenant_id: tenantId, offering_id: offeringId }, withDeadNode)
    const { body: unavailable } = await admin.get(`${offeringPath()}/reconciliation`)
    assert.equal(unavailable.state, 'failed')
    assert.match(unavailable.problem, /does not respond/)
  })

  test('operators see chains, signers and the cost of gas, as workers and the indexer last saw them', async () => {
    const context = world.context()
    const [signer] = await world.rows<{ address: Address }>('select address from cell.chain_signer')
    const address = signer?.address ?? '0x'
    assert.equal((await admin.get('/signers')).body.results[0].balance_wei, null)
    await checkSigners(pool, context)
    await checkNodes(pool, context)
    const { body: signers } = await admin.get('/signers')
    const [seen] = signers.results
    const balance = await settled.chain.client.getBalance({ address })
    assert.equal(BigInt(seen.balance_wei), balance)
    assert.deepEqual(
      [seen.address, seen.nonce_latest, seen.nonce_pending],
      [address, seen.next_nonce, await settled.chain.client.getTransactionCount({ address, blockTag: 'pending' })],
    )
    const { body: gas } = await admin.get('/gas')
    assert.equal(gas.results.length, 1)
    const [day] = gas.results
    // Everything that the signer has sent is final, and it has received gas money only once.
    assert.equal(day.transaction_count, seen.nonce_latest)
    assert.equal(day.spent_wei, seen.spent_wei_7_days)
    assert.equal(BigInt(day.spent_wei), (await spentBy(address)) as bigint)
    assert.equal(seen.days_left, Math.min(36_500, Number((balance * 7n) / BigInt(day.spent_wei))))
    const { body: chains } = await admin.get('/chains')
    const [status] = chains.results
    const head = Number(await settled.chain.client.getBlockNumber())
    assert.deepEqual([status.head, status.indexed, status.lag_blocks, status.problem], [head, head, 0, null])
    assert.ok(status.finalized <= head && status.indexed_finalized === status.finalized)
  })

  /** Sums the cost of all transactions of the address from their receipts. */
  async function spentBy(address: Address): Promise<bigint> {
    const hashes = await world.rows<{ hash: Hash }>(
      `select mined_hash as hash from cell.chain_op where mined_hash is not null`,
    )
    let spent = 0n
    for (const { hash } of hashes) {
      const { from, gasUsed, effectiveGasPrice } = await settled.chain.client.getTransactionReceipt({ hash })
      if (from.toLowerCase() === address.toLowerCase()) spent += gasUsed * effectiveGasPrice
    }
    return spent
  }
})

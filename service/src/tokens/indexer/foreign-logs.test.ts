import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Address, numberToHex, pad, toEventSelector, zeroAddress } from 'viem'
import { emitLogs, transferLog } from '../../../test/harness/chain/forged-logs.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { waitingAlarms } from '../../../test/harness/data/waiting-alarms.ts'
import { IndexedWorld } from '../../../test/harness/tokens/indexed-world.ts'

const foreign: Address = '0x00000000000000000000000000000000000F04e1'

describe('a token with logs that our contracts do not emit', async () => {
  const world = await IndexedWorld.create()
  after(() => world.end())
  const issue = await world.issue('anvil', await world.startChain())
  const ada = await world.holder(issue)
  const other = await TestTenant.create(world.installation, world.api)
  const otherOffering = await other.fixtures.offering(other.id, { blockchain: 'anvil' })
  await issue.desk.attachDesk(world.installation, other.id, 'anvil')
  await world.installation.rows('update cell.offering set token_address = $2 where id = $1', [otherOffering, foreign])

  const logsOfOther = async () => {
    const text = 'select units::int from cell.token_log where tenant_id = $1 order by block_number, log_index'
    return (await world.installation.rows<{ units: number }>(text, [other.id])).map(({ units }) => units)
  }

  test('is read without those that only resemble them, and the tokens of other tenants are indexed', async () => {
    const { anvil } = issue
    const transfer = toEventSelector('Transfer(address,address,uint256)')
    const frozen = toEventSelector('Frozen(address,uint256)')
    const minted = toEventSelector('OrderMinted(address,bytes32,address,uint256)')
    const [word, holder] = [numberToHex(1, { size: 32 }), pad(ada.address)]
    const logs = [
      // Variants: as ERC-721 tokens emit it, without indexed arguments, and with more or less data than a number.
      { topics: [transfer, holder, holder, word], data: '0x' as const },
      { topics: [transfer], data: word },
      { topics: [transfer, holder], data: word },
      { topics: [transfer, holder, holder], data: '0x' as const },
      { topics: [transfer, holder, holder], data: '0x01' as const },
      { topics: [transfer, holder, holder, word], data: word },
      { topics: [frozen], data: word },
      { topics: [frozen, holder], data: '0x' as const },
      { topics: [minted], data: '0x' as const },
      { topics: [minted, pad(foreign), word, holder], data: '0x' as const },
      { topics: [], data: '0x' as const },
      transferLog(issue.desk.address, ada.address, 7n),
    ]
    await emitLogs(anvil, foreign, logs)
    await anvil.finalize()
    await emitLogs(anvil, foreign, logs)
    const orderId = await world.order(issue, ada)
    await issue.desk.mint(issue.token, { orderId, to: ada.address, units: 100n })
    await world.index(issue)
    assert.equal((await world.transactions(ada.accountId))[0]?.status, 'pending')
    await world.finalize(issue)
    assert.equal(await world.orderStatus(orderId), 'MINTED')
    assert.deepEqual(await logsOfOther(), [7, 7])
    await world.assertExact(issue)
  })

  test('that says a wallet sent units it never had stops its own minting, and no cursor', async () => {
    const { anvil } = issue
    const accountId = await other.account()
    const walletId = await other.fixtures.wallet(other.id, accountId, { blockchain: 'anvil' })
    const { body } = await other.get(`/accounts/${accountId}/wallets/${walletId}`)
    const wallet: Address = body.public_address
    const balances = async () => {
      const path = `/accounts/${accountId}/wallets/balances?limit=50`
      return (await other.get(path)).body.results.map(({ balance }: { balance: string }) => balance)
    }
    const received = (units: bigint) => transferLog(zeroAddress, wallet, units)
    const sent = (units: bigint) => transferLog(wallet, ada.address, units)
    const mostUnits = 2n ** 256n - 1n
    // Cases: a wallet without a balance, with one, and with more units than a column can store.
    for (const [logs, balance] of [
      [[sent(3n)], []],
      [[received(8n)], ['5']],
      [[sent(6n)], ['5']],
      [[sent(1n)], ['5']],
      [[received(4n)], ['2']],
      [Array.from({ length: 10 }, () => received(mostUnits)), [String(10n ** 78n - 1n)]],
      [Array.from({ length: 10 }, () => received(mostUnits)), [String(10n ** 78n - 1n)]],
    ] as const) {
      const orderId = await world.order(issue, ada)
      await emitLogs(anvil, foreign, logs)
      await issue.desk.mint(issue.token, { orderId, to: ada.address, units: 100n })
      await world.index(issue)
      await world.finalize(issue)
      assert.equal(await world.orderStatus(orderId), 'MINTED')
      assert.deepEqual(await balances(), balance)
    }
    assert.deepEqual(await waitingAlarms(world.installation, other.id), ['offering.minting_stopped'])
    const rows = await world.installation.rows('select id from cell.offering where minting_stopped is not null')
    assert.deepEqual(rows, [{ id: otherOffering }])
    await world.assertExact(issue)
  })
})

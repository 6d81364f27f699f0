import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { zeroAddress } from 'viem'
import { waitingAlarms } from '../../../test/harness/data/waiting-alarms.ts'
import { IndexedWorld } from '../../../test/harness/tokens/indexed-world.ts'

describe('the indexer', async () => {
  const world = await IndexedWorld.create()
  after(() => world.end())
  const issue = await world.issue('anvil', await world.startChain())
  const ada = await world.holder(issue)
  const adasOther = await world.holder(issue, ada.accountId)
  const bob = await world.holder(issue)
  await world.index(issue)

  test('only a finalized mint is confirmed, in the balance and makes its order MINTED; before, it is pending', async () => {
    const { desk, token, anvil } = issue
    const orderId = await world.order(issue, ada)
    const receipt = await desk.mint(token, { orderId, to: ada.address, units: 100n })
    await world.index(issue)
    const [pending] = await world.transactions(ada.accountId)
    assert.deepEqual(
      {
        ...pending,
        id: undefined,
        block_timestamp: undefined,
      },
      {
        id: undefined,
        account_id: ada.accountId,
        wallet_id: ada.walletId,
        wallet_address: ada.address,
        offering_id: issue.offeringId,
        name: 'Harbour Bond',
        symbol: 'HARB',
        decimals: 0,
        transaction_type: 'MINT',
        transaction_hash: receipt.transactionHash,
        units: '100',
        status: 'pending',
        tx_from: null,
        tx_to: ada.address,
        block_timestamp: undefined,
      },
    )
    const { timestamp } = await anvil.client.getBlock({ blockHash: receipt.blockHash })
    assert.equal(pending.block_timestamp, new Date(Number(timestamp) * 1000).toISOString())
    for (let step = 0; step < 3; step += 1) {
      assert.deepEqual(await world.balances(ada.accountId), {})
      assert.equal(await world.orderStatus(orderId), 'MINTING')
      await anvil.mine()
      await world.index(issue)
    }
    await world.finalize(issue)
    const [confirmed] = await world.transactions(ada.accountId)
    assert.deepEqual(confirmed, { ...pending, status: 'confirmed' })
    assert.deepEqual(await world.balances(ada.accountId), { [ada.walletId]: '100' })
    assert.equal(await world.orderStatus(orderId), 'MINTED')
    assert.deepEqual(await world.eventTypes('transaction.'), ['transaction.pending', 'transaction.confirmed'])
    assert.equal((await world.eventTypes('order.minted')).length, 1)
    const rows = await world.installation.rows('select reserved_units, issued_units from cell.offering where id = $1', [
      issue.offeringId,
    ])
    assert.deepEqual(rows, [{ reserved_units: '0', issued_units: '100' }])
  })

  test('a transfer is SEND and RECEIVE between two accounts and one TRANSFER within an account; a burn goes to the zero address', async () => {
    const { desk, token, anvil } = issue
    const stranger = await anvil.account(5)
    await desk.register(token, stranger)
    const earlier = (await world.transactions(ada.accountId)).length
    await desk.transfer(token, ada.address, bob.address, 10n)
    await desk.transfer(token, ada.address, adasOther.address, 20n)
    await desk.transfer(token, ada.address, stranger, 5n)
    await desk.transfer(token, stranger, bob.address, 2n)
    await desk.burn(token, bob.address, 1n)
    await world.finalize(issue)
    const shape = (row: Record<string, unknown>) =>
      ['transaction_type', 'wallet_id', 'units', 'tx_from', 'tx_to', 'status'].map((name) => row[name])
    assert.deepEqual((await world.transactions(ada.accountId)).slice(earlier).map(shape), [
      ['SEND', ada.walletId, '10', ada.address, bob.address, 'confirmed'],
      ['TRANSFER', ada.walletId, '20', ada.address, adasOther.address, 'confirmed'],
      ['SEND', ada.walletId, '5', ada.address, stranger, 'confirmed'],
    ])
    assert.deepEqual((await world.transactions(bob.accountId)).map(shape), [
      ['RECEIVE', bob.walletId, '10', ada.address, bob.address, 'confirmed'],
      ['RECEIVE', bob.walletId, '2', stranger, bob.address, 'confirmed'],
      ['SEND', bob.walletId, '1', bob.address, zeroAddress, 'confirmed'],
    ])
    assert.deepEqual(await world.balances(ada.accountId), { [ada.walletId]: '65', [adasOther.walletId]: '20' })
    assert.deepEqual(await world.balances(bob.accountId), { [bob.walletId]: '11' })
    await world.assertExact(issue)
  })

  test('an order that is behind its mint after a restore becomes MINTED; a cancelled one raises an alarm once', async () => {
    const { desk, token, anvil } = issue
    const states = ['ORDERED', 'PAID', 'READYTOMINT', 'MINTING', 'MINTED', 'CANCELLED', 'NOPAYMENT'] as const
    const orders = []
    for (const status of states) orders.push({ status, orderId: await world.order(issue, bob, { units: 3n, status }) })
    await desk.mint(token, ...orders.map(({ orderId }) => ({ orderId, to: bob.address, units: 3n })))
    world.logged.length = 0
    await world.finalize(issue)
    await anvil.mine(3)
    await world.index(issue)
    for (const { status, orderId } of orders)
      assert.equal(
        await world.orderStatus(orderId),
        status === 'CANCELLED' || status === 'NOPAYMENT' ? status : 'MINTED',
      )
    assert.deepEqual(
      world.logged.map(({ msg, problem }) => [msg, problem]).toSorted(),
      [
        'minted although the order is CANCELLED',
        'minted although the order is NOPAYMENT',
        'minted although the order was not paid',
      ].map((problem) => ['a mint contradicts its order', problem]),
    )
    assert.deepEqual(await waitingAlarms(world.installation, world.tenant.id), ['order.mint_contradicted'])
    await world.assertExact(issue)
  })

  test('a token that is attached later is backfilled from its first block, including pending transactions', async () => {
    const { anvil, desk } = issue
    const offeringId = await world.tenant.fixtures.offering(world.tenant.id, {
      blockchain: 'anvil',
      decimals: 0,
      total_units: '1000000',
    })
    const late = { ...issue, offeringId, token: await desk.deployToken(offeringId) }
    await desk.register(late.token, ada.address, bob.address)
    const orderId = await world.tenant.order(offeringId, ada.accountId, '50')
    await world.tenant.fixtures.bringTo(world.tenant.id, orderId, 'MINTING')
    await desk.mint(late.token, { orderId, to: ada.address, units: 50n })
    await anvil.finalize()
    await desk.transfer(late.token, ada.address, bob.address, 20n)
    await world.index(issue)
    assert.equal(await world.orderStatus(orderId), 'MINTING')
    await desk.attachToken(world.installation, world.tenant.id, offeringId)
    await world.index(issue)
    assert.equal(await world.orderStatus(orderId), 'MINTED')
    assert.equal((await world.transactions(bob.accountId)).at(-1).status, 'pending')
    await world.finalize(issue)
    assert.equal((await world.transactions(bob.accountId)).at(-1).status, 'confirmed')
    await world.assertExact(issue, late)
  })

  test('a wallet whose address held tokens before has all of them in its balance after its next transfer', async () => {
    const { desk, token, anvil } = issue
    const early = await anvil.account(7)
    await desk.register(token, early)
    await desk.transfer(token, ada.address, early, 9n)
    await world.finalize(issue)
    const accountId = await world.tenant.account()
    const walletId = await world.tenant.fixtures.wallet(world.tenant.id, accountId, { blockchain: 'anvil' })
    await world.installation.rows('update cell.wallet set public_address = $2 where id = $1', [walletId, early])
    await desk.transfer(token, early, ada.address, 4n)
    await world.finalize(issue)
    assert.deepEqual(await world.balances(accountId), { [walletId]: '5' })
    await world.assertExact(issue)
  })

  test('a backfill from scratch gives the same rows as reading block by block', async () => {
    const content = () =>
      world.installation.owner(async (client) => {
        const { rows: transactions } = await client.query(
          `select transaction_hash, log_index, wallet_id, transaction_type, units, status from cell.token_transaction
           order by block_timestamp, transaction_hash, log_index, wallet_id`,
        )
        const { rows: balances } = await client.query(
          'select wallet_id, offering_id, balance from cell.wallet_balance order by 1, 2',
        )
        const { rows: holdings } = await client.query(
          'select offering_id, address, units from cell.holding order by 1, 2',
        )
        return { transactions: transactions.map((row) => Object.values(row).join()), balances, holdings }
      })
    await world.finalize(issue)
    const blockByBlock = await content()
    assert.ok(blockByBlock.transactions.length > 10)
    await world.installation.rows(`
        delete from cell.token_log; delete from cell.token_transaction; delete from cell.wallet_balance;
        delete from cell.holding; delete from cell.chain_cursor; delete from cell.chain_block; delete from cell.indexed_token;
        update cell.account set transaction_count = 0, balance_count = 0`)
    await world.index(issue)
    const backfilled = await content()
    assert.deepEqual(backfilled.balances, blockByBlock.balances)
    assert.deepEqual(backfilled.holdings, blockByBlock.holdings)
    // The address that became a wallet later now has its earlier transaction too.
    const earlier = backfilled.transactions.filter((row) => !blockByBlock.transactions.includes(row))
    const ends = earlier.map((row) => row.split(',').slice(-3))
    assert.deepEqual(ends, [['RECEIVE', '9', 'confirmed']])
    const added = backfilled.transactions.filter((row) => !earlier.includes(row))
    assert.deepEqual(added, blockByBlock.transactions)
    await world.assertExact(issue)
  })
})

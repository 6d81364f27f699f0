import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Address, getAddress, type Hash, numberToHex, zeroAddress } from 'viem'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { newSeed, seededRandom } from '../../../test/harness/seeded-random.ts'
import { createLogger } from '../../platform/base/log.ts'
import { applyFinalizedLogs } from '../indexer/apply-logs.ts'
import type { TokenLog } from '../logs/token-log.sql.ts'

const chain = 'anvil'
const blocks = 60
const addressCount = 30
const hash = (number: number): Hash => numberToHex(number, { size: 32 })
const addressOf = (number: number): Address => getAddress(numberToHex(number + 1, { size: 20 }))
const timeOf = (block: number) => new Date(Date.UTC(2026, 0, 1) + block * 3_600_000)

describe('the register of a token', async () => {
  const seed = newSeed()
  /** Model of the register: units of each address after each block. */
  const history: Map<string, bigint>[] = [new Map()]
  const frozen = new Map<string, bigint>()

  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const tenant = await TestTenant.create(installation, await installation.startApi())
  const tenantId = tenant.id
  const me = await installation.createOperator(tenantId)
  const fixtures = new Fixtures(installation)
  const offeringId = await fixtures.offering(tenantId, { blockchain: chain })
  const accountId = await tenant.account()
  const walletId = await fixtures.wallet(tenantId, accountId, { blockchain: chain })
  const response = await tenant.get(`/accounts/${accountId}/wallets/${walletId}`)
  const wallet = { accountId, walletId, address: response.body.public_address }
  await applyInAnyOrder(randomLogs(seededRandom(seed)))

  /** Creates random mints, transfers, burns and freezes, and stores their result in the model. */
  function randomLogs(random: () => number): TokenLog[] {
    const pick = (max: number) => Math.floor(random() * max)
    const addresses = [wallet.address, ...Array.from({ length: addressCount }, (_, index) => addressOf(index))]
    const someone = () => addresses[pick(addresses.length)] as Address
    const logs: TokenLog[] = []
    for (let block = 1; block <= blocks; block += 1) {
      const units = new Map(history[block - 1])
      const add = (address: Address, change: bigint) => units.set(address, (units.get(address) ?? 0n) + change)
      for (let logIndex = 0; logIndex < 1 + pick(6); logIndex += 1) {
        const owner = someone()
        const owned = units.get(owner) ?? 0n
        const kind = pick(10) === 0 ? 'frozen' : 'transfer'
        // Sometimes all units move, so that holders disappear and come back.
        const some = pick(3) === 0 ? owned : BigInt(pick(Number(owned) + 1))
        const isMint = owned === 0n || pick(4) === 0
        const to = kind === 'frozen' ? owner : isMint ? owner : pick(8) === 0 ? zeroAddress : someone()
        const moved = isMint ? BigInt(1 + pick(1_000)) : some
        const base = { blockHash: hash(block), logIndex, blockNumber: BigInt(block), blockTimestamp: timeOf(block) }
        const log = { ...base, transactionHash: hash(block * 100 + logIndex), offeringId, orderId: null }
        if (kind === 'frozen') {
          logs.push({ ...log, kind, from: null, to, units: moved })
          frozen.set(owner, moved)
          continue
        }
        logs.push({ ...log, kind, from: isMint ? null : owner, to, units: moved })
        if (!isMint) add(owner, -moved)
        if (to !== zeroAddress) add(to, moved)
      }
      history.push(units)
    }
    return logs
  }

  /** Applies later blocks first, and each twice: the register must not depend on the order, and a log counts once. */
  async function applyInAnyOrder(logs: readonly TokenLog[]): Promise<void> {
    const cursor = { chain, head: BigInt(blocks), headHash: hash(blocks), finalized: BigInt(blocks), backfills: 0n }
    await installation.owner(async (client) => {
      await client.query(
        `insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number) values ($1, $2, $3, $2)`,
        [chain, blocks, cursor.headHash],
      )
      await client.query(
        `insert into cell.chain_block (chain, number, hash, parent_hash, timestamp) values ($1, $2, $3, $3, $4)`,
        [chain, blocks, cursor.headHash, timeOf(blocks)],
      )
      // Wallet balances turn negative here, because blocks are not applied in order.
      await client.query('alter table cell.wallet_balance drop constraint wallet_balance_balance_check')
    })
    const { databases } = new DirectOperations(installation, tenantId)
    const context = { ...databases, log: createLogger('silent', 'test') }
    const late = logs.filter(({ blockNumber }) => blockNumber > BigInt(blocks / 2))
    const early = logs.filter(({ blockNumber }) => blockNumber <= BigInt(blocks / 2))
    for (const part of [late, early, logs]) await applyFinalizedLogs(context, { cursor, tenantId, logs: part })
  }

  const path = (query: string) => `/offerings/${offeringId}/${query}`
  const get = (query: string) => api.call('GET', path(query), { token: me.token })
  /** Reads all pages of a list. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads arbitrary responses
  async function all(query: string): Promise<any[]> {
    const found = []
    let next: string | null = query
    while (next) {
      const { status, text, body } = await get(next)
      assert.equal(status, 200, text)
      found.push(...body.results)
      const link: string | undefined = body.pagination.next ?? undefined
      next = link?.slice(link.indexOf(query.split('?')[0] ?? '')) ?? null
    }
    return found
  }
  const registerAfter = (block: number) =>
    [...(history[block] ?? [])].filter(([, units]) => units > 0n).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const asPairs = (holders: { address: string; units: string }[]) =>
    holders.map(({ address, units }) => [address, BigInt(units)])

  test(`is the sum of all transfers, whatever order they are applied in (seed ${seed})`, async () => {
    const listed = await all('holders?sort=address&direction=asc&limit=7')
    assert.deepEqual(asPairs(listed), registerAfter(blocks))
    const recounted = await installation.rows(
      `select holding.address from cell.holding
         where holding.offering_id = $1 and holding.address <> $2 and holding.units <>
           (select coalesce(sum(units), 0) from cell.token_log
            where kind = 'transfer' and offering_id = $1 and to_address = holding.address)
           - (select coalesce(sum(units), 0) from cell.token_log
              where kind = 'transfer' and offering_id = $1 and from_address = holding.address)`,
      [offeringId, zeroAddress],
    )
    assert.deepEqual(recounted, [])
  })

  test('by units is the same, largest first, over pages', async () => {
    const listed = await all('holders?limit=4')
    const bySize = registerAfter(blocks).map(([, units]) => units)
    bySize.sort((one, other) => (one > other ? -1 : 1))
    assert.deepEqual(
      listed.map(({ units }) => BigInt(units)),
      bySize,
    )
    assert.equal(new Set(listed.map((row) => row.address)).size, bySize.length)
  })

  test('after any block and at any time has the holders of that moment', async () => {
    for (const block of [1, 17, 30, 31, 45, 60]) {
      const listed = await all(`holders?block=${block}&sort=address&direction=asc&limit=9`)
      assert.deepEqual(asPairs(listed), registerAfter(block), `block ${block}`)
      const time = new Date(timeOf(block).getTime() + (block < blocks ? 60_000 : 0)).toISOString()
      assert.deepEqual(await all(`holders?at=${time}&sort=address&direction=asc&limit=9`), listed, time)
      const bySize = await all(`holders?block=${block}&limit=9`)
      assert.deepEqual(
        bySize.map(({ units }) => BigInt(units)),
        registerAfter(block)
          .map(([, units]) => units)
          .toSorted((one, other) => (one > other ? -1 : 1)),
      )
      const supply = registerAfter(block).reduce((sum, [, units]) => sum + units, 0n)
      for (const { units, percent } of listed)
        assert.ok(Math.abs(Number(percent) - (Number(units) * 100) / Number(supply)) < 0.000_001, `${percent}`)
    }
    assert.deepEqual(await all(`holders?at=2025-12-31T00:00:00.000Z`), [])
    assertError(await get(`holders?block=${blocks + 1}`), 409, 'block_not_finalized')
    assertError(await get('holders?at=2026-12-31T00:00:00.000Z'), 409, 'block_not_finalized')
    assertError(await get('holders?at=2026-01-02T00:00:00.000Z&block=1'), 400, 'validation_failed')
  })

  test('says who a holder is, what is frozen, and since when they have had units', async () => {
    const listed = await all('holders?sort=address&direction=asc&limit=50')
    for (const { address, frozen_units, since, name, wallet_id, account_id } of listed) {
      assert.equal(BigInt(frozen_units), frozen.get(address) ?? 0n, address)
      let first = blocks
      while (first > 0 && (history[first - 1]?.get(address) ?? 0n) > 0n) first -= 1
      // Within a block, units can leave and return; then `since` is a little later.
      assert.ok(new Date(since).getTime() >= timeOf(first).getTime(), `${address} ${since}`)
      if (address === wallet.address)
        assert.deepEqual([name, wallet_id, account_id], ['Ada Lovelace', wallet.walletId, wallet.accountId])
      else assert.deepEqual([name, wallet_id, account_id], [null, null, null])
    }
  })

  test('differs between two blocks or times exactly as register-changes lists', async () => {
    for (const [from, to] of [
      [0, 60],
      [10, 40],
      [31, 32],
      [60, 60],
    ] as const) {
      const expected = [...new Set([...(history[from] ?? []), ...(history[to] ?? [])].map(([address]) => address))]
        .map((address) => {
          const [before_, after_] = [history[from]?.get(address) ?? 0n, history[to]?.get(address) ?? 0n]
          return [address, String(before_), String(after_), String(after_ - before_)]
        })
        .filter(([, , , change]) => change !== '0')
        .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
      const listed = await all(`register-changes?from_block=${from}&to_block=${to}&limit=8`)
      const rows = listed.map((row) => [row.address, row.units_before, row.units_after, row.change])
      assert.deepEqual(rows, expected)
      if (from > 0) {
        const times = `from=${timeOf(from).toISOString()}&to=${timeOf(to).toISOString()}`
        assert.deepEqual(await all(`register-changes?${times}&limit=8`), listed)
      }
    }
    assertError(await get('register-changes?from_block=2&to_block=1'), 400, 'validation_failed')
  })
})

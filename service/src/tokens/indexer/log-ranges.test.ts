import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hexToNumber, zeroAddress } from 'viem'
import { Anvil, startProxyTo } from '../../../test/harness/chain/anvil.ts'
import { Chain } from '../chain/chain.ts'
import { LogRanges } from './log-ranges.ts'

const token = {
  tenantId: '00000000-0000-0000-0000-000000000001',
  offeringId: '00000000-0000-0000-0000-000000000002',
  token: zeroAddress,
  desk: '' as const,
  isBackfilled: false,
  backfilledTo: null,
  isUnreadable: false,
  isLimited: false,
  isReported: false,
  isOverdue: false,
}

/** Returns the number of blocks that a call for logs covers. */
function sizeOf({ params }: { params: unknown[] }): number {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: `0x${string}`; toBlock: `0x${string}` }]
  return hexToNumber(toBlock) - hexToNumber(fromBlock) + 1
}

describe('ranges of logs', async () => {
  /** The number of blocks in each range that the node was called for. */
  let sizes: number[] = []

  const anvil = await Anvil.start()
  await anvil.mine(100)
  const record = async (request: { method: string; params: unknown[] }) => {
    if (request.method === 'eth_getLogs') sizes.push(sizeOf(request))
  }
  const proxy = await startProxyTo(anvil, { before: record })
  const isLarge = (request: Parameters<typeof record>[0]) => request.method === 'eth_getLogs' && sizeOf(request) > 4
  /** A node that returns more than 10 MiB for more than four blocks. */
  const large = await startProxyTo(anvil, { before: record, pad: (request) => (isLarge(request) ? 11 * 2 ** 20 : 0) })
  after(() => proxy.close())
  after(() => large.close())
  after(() => anvil.stop())

  test('the first range is small, so that it is applied while the next one is read; the others grow', async () => {
    sizes = []
    const ranges = new LogRanges(new Chain('anvil', proxy.url), undefined)
    let next = 0n
    for await (const { from, to } of ranges.read([token], 0n, 99n)) {
      assert.equal(from, next)
      next = to + 1n
    }
    assert.equal(next, 100n)
    assert.deepEqual(sizes, [4, 8, 16, 32, 40])
  })

  test('a range whose response is too large is read again in halves, in the same run', async () => {
    sizes = []
    const ranges = new LogRanges(new Chain('anvil', large.url), undefined)
    const read: bigint[][] = []
    for await (const { from, to } of ranges.read([token], 0n, 15n)) read.push([from, to])
    assert.deepEqual(sizes.slice(0, 3), [4, 8, 4])
    assert.deepEqual(read.slice(0, 2), [
      [0n, 3n],
      [4n, 7n],
    ])
    assert.equal(read.at(-1)?.[1], 15n)
  })
})

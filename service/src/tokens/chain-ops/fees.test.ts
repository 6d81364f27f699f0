import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { numberToHex, parseGwei } from 'viem'
import { pluck } from '../../../test/harness/pluck.ts'
import { SettledWorld } from '../../../test/harness/tokens/settled-world.ts'
import { createLogger } from '../../platform/base/log.ts'
import { bumpedFees, firstFees } from './fees.ts'

const fees = (max: bigint, priority: bigint) => ({ maxFeePerGas: max, maxPriorityFeePerGas: priority })
const current = (base: bigint, max: bigint, priority: bigint) => ({ baseFeePerGas: base, ...fees(max, priority) })

describe('fees', () => {
  test('the first attempt offers what the chain asks for, and never more than the limit', () => {
    assert.deepEqual(firstFees(current(10n, 14n, 2n), 500n), fees(14n, 2n))
    assert.deepEqual(firstFees(current(450n, 542n, 2n), 500n), fees(500n, 2n))
    assert.deepEqual(firstFees(current(10n, 9_012n, 9_000n), 500n), fees(500n, 500n))
    assert.equal(firstFees(current(501n, 603n, 2n), 500n), undefined)
  })

  test('a replacement offers 12.5 % more, at least the current fee of the chain, and never more than the limit', () => {
    assert.deepEqual(bumpedFees(fees(800n, 80n), current(1n, 1n, 1n), 9_000n), fees(901n, 91n))
    assert.deepEqual(bumpedFees(fees(800n, 80n), current(4_000n, 5_000n, 50n), 9_000n), fees(5_000n, 91n))
    assert.deepEqual(bumpedFees(fees(800n, 80n), current(4_000n, 5_000n, 50n), 4_500n), fees(4_500n, 91n))
    assert.equal(bumpedFees(fees(800n, 80n), current(1n, 1n, 1n), 900n), undefined)
    assert.equal(bumpedFees(fees(800n, 80n), current(5_000n, 6_000n, 50n), 4_500n), undefined)
  })

  describe('of a chain op', async () => {
    const settled = await SettledWorld.create()
    after(() => settled.end())
    const { world } = settled

    test('it waits, with a logged reason, while the base fee is above the limit, and is sent afterwards', async () => {
      const setBaseFee = async (gwei: string) => {
        await settled.chain.rpc('anvil_setNextBlockBaseFeePerGas', numberToHex(parseGwei(gwei)))
        await settled.chain.mine()
      }
      const signed = () => world.rows<{ fee: string }>('select max_fee_per_gas as fee from cell.chain_tx')
      const lines: Record<string, unknown>[] = []
      const log = createLogger('warn', 'test', { write: (line: string) => void lines.push(JSON.parse(line)) })
      await setBaseFee('20000')
      await settled.advanceOps(world.context({ log }))
      await settled.advanceOps(world.context({ log }))
      assert.deepEqual(await signed(), [])
      assert.deepEqual(pluck(await world.ops(), 'state'), ['RESERVED', 'QUEUED'])
      assert.equal(lines[0]?.['msg'], 'a chain op waits for lower fees')
      assert.equal(lines[0]?.['problem'], 'the base fee is 20000 gwei, above MAX_FEE_GWEI')
      await setBaseFee('490')
      await settled.advanceOps()
      const [first] = await signed()
      assert.equal(BigInt(first?.fee ?? 0), parseGwei('500'))
    })
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Hash, numberToHex } from 'viem'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { createLogger } from '../../platform/base/log.ts'
import type { TokenLog } from '../logs/token-log.sql.ts'
import { applyFinalizedLogs, insertUnfinalizedLogs } from './apply-logs.ts'

const hash = (number: number): Hash => numberToHex(number, { size: 32 })

describe('logs of one block', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const tenantId = await installation.createTenant('Logs')
  const offeringId = await new Fixtures(installation).offering(tenantId, { blockchain: 'anvil' })

  /** Creates 1,990 transactions with a log each, one with 20 logs, and 90 more with a log each. */
  function logsOf(blockNumber: number): TokenLog[] {
    const transactions = [...Array.from({ length: 1_990 }, () => 1), 20, ...Array.from({ length: 90 }, () => 1)]
    let logIndex = 0
    return transactions.flatMap((size, index) =>
      Array.from({ length: size }, () => ({
        blockHash: hash(blockNumber),
        logIndex: logIndex++,
        blockNumber: BigInt(blockNumber),
        blockTimestamp: new Date(),
        transactionHash: hash(size > 1 ? 1_000_000 + blockNumber : index),
        offeringId,
        kind: 'transfer' as const,
        from: '0x00000000000000000000000000000000000000AA' as const,
        to: '0x00000000000000000000000000000000000000bb' as const,
        units: 1n,
        orderId: null,
      })),
    )
  }

  for (const [name, write] of [
    ['finalized', applyFinalizedLogs],
    ['unfinalized', insertUnfinalizedLogs],
  ] as const)
    test(`the ${name} logs of one chain transaction commit together, although more than 2,000 do not`, async () => {
      const blockNumber = name === 'finalized' ? 1 : 2
      const cursor = { chain: `anvil ${name}`, head: 0n, headHash: hash(0), finalized: 0n, backfills: 0n }
      await installation.rows(
        'insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number) values ($1, 0, $2, 0)',
        [cursor.chain, cursor.headHash],
      )
      const { databases } = new DirectOperations(installation, tenantId)
      const context = { ...databases, log: createLogger('silent', 'test') }
      await write(context, { cursor, tenantId, logs: logsOf(blockNumber) })
      // xmin is the database transaction that wrote the row.
      const rows = await installation.rows<{ logs: number; writes: number; together: number }>(
        `select count(*)::int as logs, count(distinct xmin::text)::int as writes,
                  count(distinct xmin::text) filter (where transaction_hash = $2)::int as together
           from cell.token_log where tenant_id = $3 and block_hash = $1`,
        [hash(blockNumber), hash(1_000_000 + blockNumber), tenantId],
      )
      assert.deepEqual(rows, [{ logs: 2_100, writes: 2, together: 1 }])
    })
})

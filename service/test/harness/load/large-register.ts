import { createAccount } from '../../../src/sales/accounts/create-account.ts'
import { DirectOperations } from '../callers/operations.ts'
import { individual } from '../data/bodies.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** Time of the last finalized block of a large register; all units exist long before. */
export const registerAt = '2026-03-01T00:00:00.000Z'

const head = `0x${'f'.repeat(64)}`

/** Writes a register with this many holders, as if an indexer had read it. Their wallets belong to fewer accounts. */
export async function createLargeRegister(
  installation: TestInstallation,
  {
    tenantId,
    offeringId,
    holders,
    accounts,
    chain = 'anvil',
  }: { tenantId: string; offeringId: string; holders: number; accounts: number; chain?: string },
): Promise<void> {
  const direct = new DirectOperations(installation, tenantId)
  const ids: string[] = []
  for (let count = 0; count < accounts; count += 1) ids.push((await direct.run(createAccount, { body: individual })).id)
  // Distributions leave out accounts that are not approved.
  await installation.rows(`update cell.account set kyc_status = 'APPROVED' where id = any ($1::uuid[])`, [ids])
  await installation.owner(async (client) => {
    const address = `'0x1' || lpad(to_hex(i), 39, '0')`
    await client.query(
      `insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number)
       values ($2, 1000, $1, 1000)`,
      [head, chain],
    )
    await client.query(
      `insert into cell.chain_block (chain, number, hash, parent_hash, timestamp) values ($3, 1000, $1, $1, $2)`,
      [head, registerAt, chain],
    )
    await client.query(
      `insert into cell.wallet (tenant_id, id, account_id, position, blockchain, public_address, name, provider, type,
                                status)
       select $1, gen_random_uuid(), ($2::uuid[])[1 + i % $3], i / $3, $5, ${address}, 'w', 'METAMASK',
              'BROWSER_WALLET', 'ACTIVE'
       from generate_series(0, $4 - 1) i`,
      [tenantId, ids, accounts, holders, chain],
    )
    await client.query(
      `insert into cell.token_log (tenant_id, chain, block_hash, log_index, block_number, block_timestamp,
                                   transaction_hash, offering_id, kind, to_address, units, applied_at)
       select $1, $4, '0x01', i, 1, '2026-01-01', '0x01', $2, 'transfer', ${address}, 100000000 + i, now()
       from generate_series(0, $3 - 1) i`,
      [tenantId, offeringId, holders, chain],
    )
    await client.query(
      `insert into cell.holding (tenant_id, offering_id, address, id, units)
       select tenant_id, offering_id, to_address, gen_random_uuid(), units from cell.token_log
       where tenant_id = $1 and offering_id = $2
       union all
       select tenant_id, offering_id, '0x0000000000000000000000000000000000000000', gen_random_uuid(), -sum(units)
       from cell.token_log where tenant_id = $1 and offering_id = $2 group by 1, 2`,
      [tenantId, offeringId],
    )
    await client.query('analyze cell.token_log, cell.holding, cell.wallet')
  })
}

import type pg from 'pg'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { type ChainContext, inTenantWrite } from '../chain/chain-context.ts'
import { nodesDisagreeOn, selectMintingOfferings, stopMinting } from './reconcile.sql.ts'

const pageMax = 100

/**
 * Stops the minting of every offering of a cell on a chain whose nodes disagree on a finalized block: it is unknown
 * what has been minted. An admin resumes it, as after a difference.
 */
export async function stopMintingOnChain(
  cell: pg.Pool,
  context: Pick<ChainContext, 'databases' | 'placement' | 'log'>,
  chain: string,
): Promise<void> {
  const reason = nodesDisagreeOn(chain)
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await selectMintingOfferings(cell, chain, after, pageMax)
    for (const key of page) {
      const isNew = await inTenantWrite(context, key.tenantId, async (tx) => {
        if (!(await stopMinting(tx, key, reason))) return false
        const subject = { type: 'offering', id: key.offeringId }
        await appendAudit(tx, system, {
          action: 'offering.minting_stopped',
          subject,
          after: { minting_stopped: reason },
        })
        return true
      })
      const fields = { tenant_id: key.tenantId, chain, problem: reason }
      if (isNew) context.log.error(fields, 'the nodes of the chain disagree: minting is stopped')
    }
    const last = page.at(-1)
    if (!last || page.length < pageMax) return
    after = last.offeringId
  }
}

const system = { type: 'system', id: null, requestId: null } as const

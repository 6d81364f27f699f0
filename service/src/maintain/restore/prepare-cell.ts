import type pg from 'pg'
import { insertPayoutStops } from '../../money/payouts/payout-stop.sql.ts'
import { OneCellPlacement } from '../../platform/postgres/cells/placement.ts'
import { createPool } from '../../platform/postgres/pools.ts'
import { RestoreRejected, type StepReport } from '../../platform/postgres/restored-database.ts'
import { catchUpRestoredSigner } from '../../tokens/restore/catch-up-signers.ts'
import { indexToHead, reconcileRestored } from '../../tokens/restore/index-and-reconcile.ts'
import { cancelQueuedActions, selectSigners } from '../../tokens/restore/restored-signer.sql.ts'
import { unknownDesks } from '../../tokens/restore/unknown-desks.ts'
import { type RestoreOptions, type StepContext, step } from './restore-context.ts'

type CellContext = StepContext & { readonly cell: string }

/** Stops payouts, and lets signers and the ledger catch up with the chains. */
export async function prepareCell(context: CellContext, options: RestoreOptions): Promise<void> {
  const { config, log, databases, database, cell } = context
  await step(database, 'payouts', (client) => stopPayouts(client, options))
  await step(database, 'token actions', async (client) => {
    const cancelled = await cancelQueuedActions(client)
    const lines = cancelled.map(({ kind, opId, tenantId }) => `${kind} ${opId} of tenant ${tenantId} is cancelled`)
    return [`${cancelled.length} queued token actions are cancelled: the chain may have executed them`, ...lines]
  })
  const url = config.ownerCells.get(cell) ?? ''
  const pool = createPool({ url, role: 'investor_token_worker', cell, max: 4, isOwner: true }, config, log)
  try {
    await catchUpSigners(context, pool, options)
    const placement = new OneCellPlacement(databases, cell)
    const chainContext = { ...context, placement, clock: () => new Date() }
    await database.repeatableStep('chain', async () => {
      const lines = []
      for (const chain of context.chains.values()) lines.push(await indexToHead(chain, pool, chainContext))
      return lines.length > 0 ? lines : ['CHAINS is empty']
    })
    await database.repeatableStep('reconciliation', () => reconcileRestored(pool, chainContext))
  } finally {
    await pool.end()
  }
}

async function stopPayouts(client: pg.Client, { to }: RestoreOptions): Promise<StepReport> {
  const stopped = await insertPayoutStops(client, to)
  return [
    'stopped until bank statements since the moment are imported and booked; see resume-payouts',
    ...stopped.map(
      ({ tenantId, dueRefunds, statementsUntil }) =>
        `tenant ${tenantId}: ${dueRefunds} refunds look due, statements must reach ${statementsUntil}`,
    ),
  ]
}

async function catchUpSigners(context: CellContext, pool: pg.Pool, options: RestoreOptions): Promise<void> {
  const { chains, databases, database, cell, by } = context
  const signers = await selectSigners(pool)
  await database.repeatableStep('signers', async () => {
    const lines: string[] = []
    for (const signer of signers) {
      const chain = chains.get(signer.chain)
      if (!chain)
        throw new RestoreRejected(
          `Tenant ${signer.tenantId} has a signer on ${signer.chain}: add this chain to CHAINS.`,
        )
      const found = await catchUpRestoredSigner({ databases, cell, chain, by }, signer, options.pendingSeconds * 1_000)
      lines.push(...found.lines)
      if (found.pending > 0 && !options.mayStayPending)
        throw new RestoreRejected(
          `${found.lines.join('\n')}\nWait until they are mined, then run this again; or add --accept-pending. ` +
            'Then the signer continues after them.',
        )
    }
    return [`${signers.length} signers`, ...lines]
  })
  await database.repeatableStep('unknown signers', async () => {
    const known = signers.map(({ deskAddress }) => deskAddress)
    const lines: string[] = []
    for (const [name, chain] of chains) {
      const after = signers.find((signer) => signer.chain === name)?.finalized
      if (after != null) lines.push(...(await unknownDesks(chain, after, known)))
    }
    return lines.length > 0 ? lines : ['no desk on the chain is of a signer that is missing here']
  })
}

// The command that rebuilds the totals of a tenant's offerings.
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { rebuildSums } from '../../sales/summaries/summary.sql.ts'
import { uuid } from '../program/arguments.ts'
import { command, inTenant, maintenanceActor, print, printNote } from '../program/program.ts'

const rebuildMsMax = 30 * 60_000

command('rebuild-summaries', 'service')
  .description("correct the sums of a tenant's offerings to what its events of the last 30 days add up to")
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    const { fromDay, corrected } = await inTenant(
      tenantId,
      async (tx) => {
        const rebuilt = await rebuildSums(tx)
        await appendAudit(tx, maintenanceActor, {
          action: 'summaries.rebuilt',
          subject: { type: 'tenant', id: tenantId },
          after: { from_day: rebuilt.fromDay, corrected: rebuilt.corrected },
        })
        return rebuilt
      },
      rebuildMsMax,
    )
    print({ tenant_id: tenantId, from_day: fromDay ?? 'no events', corrected })
    printNote(
      corrected === 0
        ? 'All sums were right.'
        : 'Sums that differed from the events were corrected. Please report this as a bug.',
    )
  })

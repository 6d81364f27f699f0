// The command that rebuilds the totals of a tenant's offerings.
import { rebuildSums } from '../../sales/summaries/summary.sql.ts'
import { audit, inTenant, print, printNote } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

const rebuildMsMax = 30 * 60_000

tenantCommand('rebuild-summaries', 'service')
  .description("correct the sums of a tenant's offerings to what its events of the last 30 days add up to")
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    const { fromDay, corrected } = await inTenant(
      tenantId,
      async (tx) => {
        const rebuilt = await rebuildSums(tx)
        await audit(tx, {
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

import assert from 'node:assert/strict'
import type { TestInstallation } from '../installation/test-installation.ts'

/**
 * Checks that the money of each distribution adds up: distributed = paid + returned + set apart + remainder + withheld,
 * plus any amount that is due or with the bank meanwhile. Each entitlement must have been in one more file than it was
 * returned if it is sent or paid, and in as many otherwise.
 */
export async function assertDistributionsAddUp(
  database: Pick<TestInstallation, 'rows'>,
  tenantId: string,
  /** Entitlements that the bank paid after the moment of the restore: they were in unknown files. */
  unknownFiles = 0,
): Promise<void> {
  const rows = await database.rows(differences, [tenantId, unknownFiles])
  assert.deepEqual(rows, [])
}

const differences = `
  with entitled as (
    select entitlement.*,
           (select count(*) from cell.distribution_transfer
            where distribution_transfer.entitlement_id = entitlement.id and not is_open) as sent,
           (select count(*) from cell.bank_entry
            where bank_entry.entitlement_id = entitlement.id and state = 'refund_failed') as back
    from cell.entitlement where tenant_id = $1
  ), sums as (
    select distribution_id, count(*) as holders, sum(units) as units, sum(gross_minor) as gross,
           sum(withheld_minor) as withheld,
           sum(net_minor) filter (where status = 'paid') as paid,
           sum(net_minor) filter (where status = 'returned') as returned,
           sum(net_minor) filter (where status in ('due', 'sent')) as open,
           sum(net_minor) filter (where status = 'set_apart') as apart,
           count(*) filter (where sent - back <> case when status in ('sent', 'paid') then 1 else 0 end) as wrong_files
    from entitled group by distribution_id
  )
  select distribution.id, to_jsonb(sums) as sums
  from cell.distribution left join sums on sums.distribution_id = distribution.id
  where distribution.tenant_id = $1 and distribution.calculated_at is not null and not (
    total_minor = coalesce(paid, 0) + coalesce(returned, 0) + coalesce(open, 0) + coalesce(apart, 0)
                  + coalesce(withheld, 0) + (total_minor - gross_minor)
    and coalesce(gross, 0) = gross_minor and coalesce(withheld, 0) = withheld_minor
    and coalesce(apart, 0) = apart_minor and total_minor - gross_minor between 0 and coalesce(holders, 0)
    and coalesce(units, 0) = supply and coalesce(wrong_files, 0) = $2)`

import { asOwner } from '../installation/database.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { unitsOfBulkOrder } from './bulk-orders.ts'
import type { KeyedWriters } from './keyed-writers.ts'

export interface Tally {
  /** Rows beyond the first for one key. */
  duplicates: number
  /** Writes that got a 2xx and have no row. */
  lost: number
  /** Descriptions of everything else that is wrong. */
  problems: string[]
}

/** Checks in the tenant's cell that every key has exactly one row, and that all counters agree with the rows. */
export function tallyEffects(
  installation: TestInstallation,
  writers: KeyedWriters,
  url = installation.config.databaseUrl,
): Promise<Tally> {
  const { tenantId, offeringId, writes } = writers
  return asOwner(url, async (client) => {
    const { rows } = await client.query<{ marker: string; id: string }>(
      `select email as marker, id from cell.account where tenant_id = $1
       union all select units::text, id from cell.token_order where tenant_id = $1 and units <> ${unitsOfBulkOrder}`,
      [tenantId],
    )
    const idsOf = Map.groupBy(rows, ({ marker }) => marker)
    const tally: Tally = { duplicates: 0, lost: 0, problems: [...writers.problems] }
    for (const { marker, response, attempts } of writes) {
      const ids = (idsOf.get(marker) ?? []).map(({ id }) => id)
      idsOf.delete(marker)
      tally.duplicates += Math.max(0, ids.length - 1)
      if (!response) tally.problems.push(`${marker} never got a response: ${attempts.join(', ')}`)
      else if (ids.length === 0) tally.lost += 1
      else if (!ids.includes(response.id))
        tally.problems.push(`${marker} got a response with an id that is not its row's`)
    }
    for (const marker of idsOf.keys()) tally.problems.push(`${marker} was created without a request`)
    const counts = await client.query<Record<string, boolean | null>>(consistencyQuery, [tenantId, offeringId])
    for (const [claim, isTrue] of Object.entries(counts.rows[0] ?? {}))
      if (isTrue !== true) tally.problems.push(`not true: ${claim}`)
    if (rows.length !== writes.length) tally.problems.push(`${writes.length} writes created ${rows.length} rows`)
    return tally
  })
}

const dense = (position: string) =>
  `coalesce(count(*) = count(distinct ${position}) and min(${position}) = 0 and max(${position}) = count(*) - 1, true)`

const consistencyQuery = `
  select
    (select account_count from cell.tenant where id = $1)
      = (select count(*) from cell.account where tenant_id = $1) as "account_count of the tenant is right",
    (select ${dense('position')} from cell.account where tenant_id = $1) as "accounts have dense positions",
    (select reserved_units from cell.offering where tenant_id = $1 and id = $2)
      = (select coalesce(sum(units), 0) from cell.token_order where tenant_id = $1 and offering_id = $2)
      as "reserved_units of the offering is the sum of its orders",
    (select order_count from cell.offering where tenant_id = $1 and id = $2)
      = (select count(*) from cell.token_order where tenant_id = $1 and offering_id = $2)
      as "order_count of the offering is right",
    (select ${dense('offering_position')} from cell.token_order where tenant_id = $1 and offering_id = $2)
      as "orders have dense positions in their offering",
    not exists (
      select from cell.account
      where tenant_id = $1 and order_count <> (
        select count(*) from cell.token_order where token_order.tenant_id = $1 and account_id = account.id
      )
    ) as "order_count of each account is right",
    not exists (
      select from cell.token_order where tenant_id = $1
      group by account_id having not ${dense('account_position')}
    ) as "orders have dense positions in their account",
    (select count(*) from cell.idempotency where tenant_id = $1)
      = (select count(*) from cell.account where tenant_id = $1)
      + (select count(*) from cell.token_order where tenant_id = $1 and units <> ${unitsOfBulkOrder}) as "every row has its stored response"`

import type pg from 'pg'
import { versionNames } from '../../platform/base/contract-versions.ts'
import { eventTypes } from '../events/event-types.ts'

/**
 * More events than a tenant has in years, so a restored database never assigns a number twice. Numbers stay exact in
 * JSON for nine million restores.
 */
export const restoreGap = 1_000_000_000

/**
 * Raises the event numbers of all tenants of a cell, or of one, above all that integrators can have seen, and records
 * the event that reports it as the first one after the gap. Events that wait for a number get later ones. Returns the
 * number of tenants.
 */
export async function raiseEventNumbers(client: pg.Client, restoredTo: string, tenantId?: string): Promise<number> {
  await client.query('set local role investor_token_worker')
  const { rowCount } = await client.query(
    `with raised as (
       insert into cell.event_head as head (tenant_id, last_sequence, kept_sequence, restored_sequence, restored_to)
       select id, $1, 0, $1, $2 from cell.tenant where $5::uuid is null or id = $5
       on conflict (tenant_id) do update
       set last_sequence = head.last_sequence + $1, kept_sequence = head.last_sequence,
           restored_sequence = head.last_sequence + $1, restored_to = $2
       returning tenant_id, kept_sequence, restored_sequence
     )
     insert into cell.event (tenant_id, sequence, day, id, type, scope, version, data, created_at)
     select tenant_id, restored_sequence, (now() at time zone 'utc')::date, gen_random_uuid(), 'events.restored', $3,
            $4,
            jsonb_build_object(
              'restored_to', to_char($2::timestamptz at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'kept_sequence', kept_sequence),
            clock_timestamp()
     from raised`,
    [restoreGap, restoredTo, eventTypes['events.restored'], versionNames.at(-1), tenantId],
  )
  await client.query('reset role')
  return rowCount ?? 0
}

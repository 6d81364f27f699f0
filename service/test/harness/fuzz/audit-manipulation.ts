/** Returns a random change of a tenant's audit log with this many rows, as the owner of the tables could make it. */
export function randomManipulation(
  random: () => number,
  { tenantId, otherId, rowCount }: { tenantId: string; otherId: string; rowCount: number },
): Manipulation {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const sequence = () => 1 + Math.floor(random() * rowCount)
  const one = (kind: string, text: string, ...values: unknown[]): Manipulation => ({
    kind,
    statements: [{ text, values: [tenantId, ...values] }],
  })
  const hash = () => Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256)))
  // SQL expressions that change a column's value.
  const otherValues: Record<string, readonly string[]> = {
    tenant_id: [`'${otherId}'::uuid`],
    sequence: ['sequence + 1000', '-sequence', '0'],
    at: [
      `at + interval '1 microsecond'`,
      `at - interval '1 day'`,
      `'infinity'`,
      // The same date in the year BC with the same number.
      `(to_char(at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US') || '+00 BC')::timestamptz`,
    ],
    actor_type: [`case actor_type when 'system' then 'maintenance' else 'system' end`],
    actor_id: ['gen_random_uuid()', `case when actor_id is null then gen_random_uuid() end`],
    request_id: ['gen_random_uuid()', `case when request_id is null then gen_random_uuid() end`],
    action: [`action || ' '`, `'offering.closed'`, `''`],
    subject_type: [`'order'`, `upper(subject_type)`],
    subject_id: ['gen_random_uuid()'],
    before: [
      `coalesce(before, '{}') || '{"more": 1}'`,
      `case when before is null then 'null'::jsonb end`,
      `case when before is null then '{}'::jsonb else before - 'count' end`,
    ],
    after: [
      `coalesce(after, '{}') || '{"more": 1}'`,
      `case when after is null then 'null'::jsonb end`,
      `case when after is null then '{}'::jsonb else jsonb_set(after, '{count}', '"1"') end`,
    ],
  }
  const first = sequence()
  const second = (first % rowCount) + 1
  switch (Math.floor(random() * 10)) {
    case 0:
      return one('delete', 'delete from base.audit_log where tenant_id = $1 and sequence = $2', first)
    case 1:
      return one('delete the end', 'delete from base.audit_log where tenant_id = $1 and sequence >= $2', first)
    case 2:
      return one('delete the beginning', 'delete from base.audit_log where tenant_id = $1 and sequence <= $2', first)
    case 3: {
      const move = (from: number, to: number) => ({
        text: 'update base.audit_log set sequence = $3 where tenant_id = $1 and sequence = $2',
        values: [tenantId, from, to],
      })
      return { kind: 'swap two rows', statements: [move(first, -1), move(second, first), move(-1, second)] }
    }
    case 4:
      return one(
        'edit hash',
        'update base.audit_log set hash = $3 where tenant_id = $1 and sequence = $2',
        first,
        hash(),
      )
    case 5:
      return one(
        'edit previous_hash',
        'update base.audit_log set previous_hash = $3 where tenant_id = $1 and sequence = $2',
        first,
        hash(),
      )
    case 6:
      return pick([
        one('edit the hash of the head', 'update base.audit_head set hash = $2 where tenant_id = $1', hash()),
        one('move the head back', 'update base.audit_head set sequence = sequence - $2 where tenant_id = $1', first),
        one('move the head forward', 'update base.audit_head set sequence = sequence + $2 where tenant_id = $1', first),
        one('delete the head', 'delete from base.audit_head where tenant_id = $1'),
        one(
          'move the head to another tenant',
          'update base.audit_head set tenant_id = $2 where tenant_id = $1',
          otherId,
        ),
      ])
    case 7:
      // Acts like someone who can compute the hash, but does not rewrite all rows that follow.
      return one(
        'edit and rehash',
        `update base.audit_log set action = 'x.y', hash = base.audit_hash(
           (select (jsonb_populate_record(old, '{"action": "x.y"}')) from base.audit_log old
            where old.tenant_id = $1 and old.sequence = $2))
         where tenant_id = $1 and sequence = $2`,
        first,
      )
    default: {
      const column = pick(Object.keys(otherValues))
      const value = pick(otherValues[column] ?? [])
      return one(
        `edit ${column}`,
        `update base.audit_log set ${column} = ${value} where tenant_id = $1 and sequence = $2`,
        first,
      )
    }
  }
}

interface Manipulation {
  kind: string
  statements: { text: string; values: unknown[] }[]
}

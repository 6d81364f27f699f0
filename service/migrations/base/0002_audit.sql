-- Who changed what: one chain of rows for each tenant, in every database that holds something of the tenant's. Each row
-- carries the hash of the one before it, and the head knows where the chain ends, so that nothing can be changed, taken
-- out or cut off without base.first_broken_audit() saying where.

create table base.audit_log (
  tenant_id uuid not null,
  sequence bigint not null,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('administrator', 'credential', 'maintenance', 'system')),
  actor_id uuid,
  request_id uuid,
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  -- What is different, by the names of the API. Personal data is named, not shown.
  before jsonb,
  after jsonb,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant_id, sequence)
);
create index audit_log_subject on base.audit_log (tenant_id, subject_id, sequence);

create table base.audit_head (
  tenant_id uuid primary key,
  sequence bigint not null,
  hash bytea not null
);

-- Over every column, each in a form that neither a time zone nor a release of PostgreSQL changes, and that is another one
-- for every other value: a written date leaves out that it is before Christ, and in JSON there is no null beside null.
create function base.audit_hash(entry base.audit_log) returns bytea
  language sql stable
  return sha256(entry.previous_hash || convert_to(jsonb_build_array(
    entry.tenant_id, entry.sequence, extract(epoch from entry.at)::text, entry.actor_type,
    entry.actor_id, entry.request_id, entry.action, entry.subject_type, entry.subject_id, entry.before::text,
    entry.after::text
  )::text, 'UTF8'));

-- The only way to write: the application role can neither choose a row's place and hash nor touch a row that is there.
-- Whoever calls holds the tenant's chain until the end of the transaction, so it is called last.
create function base.append_audit(
  actor_type text, actor_id uuid, request_id uuid, action text, subject_type text, subject_id uuid, before jsonb, after jsonb
) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  head base.audit_head;
  entry base.audit_log;
begin
  insert into base.audit_head (tenant_id, sequence, hash)
  values (base.current_tenant_id(), 0, sha256(convert_to(base.current_tenant_id()::text, 'UTF8')))
  on conflict (tenant_id) do update set sequence = audit_head.sequence
  returning * into strict head;
  entry := row(
    head.tenant_id, head.sequence + 1, clock_timestamp(), append_audit.actor_type, append_audit.actor_id,
    append_audit.request_id, append_audit.action, append_audit.subject_type, append_audit.subject_id,
    append_audit.before, append_audit.after, head.hash, null
  );
  entry.hash := base.audit_hash(entry);
  insert into base.audit_log select entry.*;
  update base.audit_head set sequence = entry.sequence, hash = entry.hash where tenant_id = entry.tenant_id;
end $$;

-- The first place at which the chain of this transaction's tenant is not what it was, or no row.
create function base.first_broken_audit() returns table (sequence bigint, problem text)
  language sql stable
begin atomic
  select found.sequence, found.problem
  from (
    select entry.sequence,
           case
             when entry.hash <> base.audit_hash(entry) then 'the row was changed'
             when entry.sequence <> coalesce(lag(entry.sequence) over chain, 0) + 1 then 'rows before this one are missing'
             when entry.previous_hash <> coalesce(
               lag(entry.hash) over chain, sha256(convert_to(entry.tenant_id::text, 'UTF8'))
             ) then 'the row does not follow the one before it'
           end as problem
    from base.audit_log entry
    where entry.tenant_id = base.current_tenant_id()
    window chain as (order by entry.sequence)
    union all
    select head.sequence,
           case
             when last.sequence is null and head.sequence > 0 then 'all rows are missing'
             when last.sequence < head.sequence then 'rows at the end are missing'
             when last.sequence > head.sequence then 'rows were added after the end'
             when last.hash <> head.hash then 'the last row is not the one that was written last'
           end
    from base.audit_head head
    left join lateral (
      select entry.sequence, entry.hash from base.audit_log entry
      where entry.tenant_id = head.tenant_id order by entry.sequence desc limit 1
    ) last on true
    where head.tenant_id = base.current_tenant_id()
    union all
    select 0, 'there are rows and nobody knows where they end'
    where exists (select from base.audit_log where tenant_id = base.current_tenant_id())
      and not exists (select from base.audit_head where tenant_id = base.current_tenant_id())
  ) found
  where found.problem is not null
  order by found.sequence
  limit 1;
end;

alter table base.audit_log enable row level security, force row level security;
create policy of_tenant on base.audit_log using (tenant_id = base.current_tenant_id());
alter table base.audit_head enable row level security, force row level security;
create policy of_tenant on base.audit_head using (tenant_id = base.current_tenant_id());
grant select on base.audit_log, base.audit_head to investor_token_app;
revoke all on function base.append_audit(text, uuid, uuid, text, text, uuid, jsonb, jsonb) from public;
grant execute on function base.append_audit(text, uuid, uuid, text, text, uuid, jsonb, jsonb) to investor_token_app;

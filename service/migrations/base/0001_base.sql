-- Runs in every database, before the directory and cell migrations.

-- The roles that processes switch to. They own nothing and cannot log in: a deployment grants them to its login roles.
-- Roles are global to the server, so a migration of another database may have created them already.
do $$ begin
  create role investor_token_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  create role investor_token_worker nologin;
exception when duplicate_object or unique_violation then null;
end $$;

grant usage on schema base to investor_token_app, investor_token_worker;

-- The tenant whose rows this transaction may access, or null. A transaction-local setting reverts to an empty string
-- rather than null when its transaction ends, hence the nullif.
create function base.current_tenant_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;

-- An amount in minor units, for columns that lists sort and filter by: row-level security does not use an index for a
-- comparison of numeric, which is not leakproof. The digits are those of the application (platform/base/money.ts), and a
-- test compares both.
create function base.minor_units(amount numeric, currency text) returns bigint
  language sql immutable parallel safe
  return (amount * case
    when currency in (
      'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF',
      'XPF'
    ) then 1
    when currency in ('MGA', 'MRU') then 10
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000
    when currency in ('CLF', 'UYW') then 10000
    else 100
  end)::bigint;

-- The app role's only access to the job queue: it can add jobs for the current tenant, but cannot read or change any.
-- The job commits with the rows that need it. A job key replaces a waiting job with the same key, never a running one:
-- that one may have read its rows before this change. Keys are private to tenant and task. The flag names the tenant, so
-- that a worker can limit how many jobs of a tenant it runs at once.
create function base.enqueue_job(task text, payload json, job_key text default null, run_at timestamptz default null)
  returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  tenant constant text := base.current_tenant_id();
  full_key text := tenant || ':' || task || ':' || job_key;
  job_id bigint;
begin
  if (payload ->> 'tenant_id')::uuid is distinct from base.current_tenant_id() then
    raise exception 'the tenant_id of the payload must be the tenant of this transaction'
      using errcode = 'insufficient_privilege';
  end if;
  -- Two transactions that enqueue under one key would wait for each other, and could deadlock over the rows that they
  -- have locked. The second one adds a job without a key instead: the work runs twice, which is harmless.
  if not pg_try_advisory_xact_lock(hashtextextended('job key ' || full_key, 0)) then
    full_key := null;
  end if;
  -- add_job adds nothing if a worker starts the waiting job while add_job replaces it. The second attempt sees that the
  -- job is running; the last one needs no key.
  for attempt in 1..3 loop
    select added.id into job_id from graphile_worker.add_job(
      identifier => enqueue_job.task, payload => enqueue_job.payload, run_at => enqueue_job.run_at, max_attempts => 25,
      job_key => case when attempt < 3 then full_key end, flags => array[tenant]
    ) added;
    exit when job_id is not null;
  end loop;
end $$;

revoke all on function base.enqueue_job(text, json, text, timestamptz) from public;
grant execute on function base.enqueue_job(text, json, text, timestamptz) to investor_token_app;

-- Who changed what: a hash chain per tenant in every database that stores data of that tenant. Each row includes the
-- hash of the previous row, and audit_head records the end of the chain, so base.verify_audit_chain() detects rows that
-- were changed, removed or truncated.
create table base.audit_log (
  tenant_id uuid not null,
  sequence bigint not null,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('user', 'credential', 'maintenance', 'system', 'simulation')),
  actor_id uuid,
  -- The second person, and the approval that they confirmed; null if the change needed none.
  confirmed_by uuid,
  approval_id uuid,
  request_id uuid,
  action text not null,
  subject_type text not null,
  subject_id uuid not null,
  -- The changed fields, by their API names. For personal data, only the field names are stored, never the values.
  before jsonb,
  after jsonb,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant_id, sequence)
);
create index audit_log_subject on base.audit_log (tenant_id, subject_id, sequence);
create index audit_log_actor on base.audit_log (tenant_id, actor_id, sequence);
create index audit_log_action on base.audit_log (tenant_id, action, sequence);
create index audit_log_request on base.audit_log (tenant_id, request_id) where request_id is not null;
create index audit_log_at on base.audit_log (tenant_id, at, sequence);

create table base.audit_head (
  tenant_id uuid primary key,
  sequence bigint not null,
  hash bytea not null
);

-- Covers every column. The encoding must not depend on the time zone or the PostgreSQL release, and distinct rows must
-- encode differently: hence the epoch, which is the same in every time zone, and jsonb cast to text, which keeps a JSON
-- null distinct from an SQL null.
create function base.audit_hash(entry base.audit_log) returns bytea
  language sql stable
  return sha256(entry.previous_hash || convert_to(jsonb_build_array(
    entry.tenant_id, entry.sequence, extract(epoch from entry.at)::text, entry.actor_type,
    entry.actor_id, entry.confirmed_by, entry.approval_id, entry.request_id, entry.action, entry.subject_type, entry.subject_id, entry.before::text,
    entry.after::text
  )::text, 'UTF8'));

-- The only way to write to the log: the app role can neither choose a sequence number or hash nor change existing rows.
-- The call locks the tenant's chain until the transaction ends, so callers make it their last statement.
create function base.append_audit(
  actor_type text, actor_id uuid, confirmed_by uuid, approval_id uuid, request_id uuid, action text, subject_type text,
  subject_id uuid, before jsonb, after jsonb
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
    append_audit.confirmed_by, append_audit.approval_id, append_audit.request_id, append_audit.action, append_audit.subject_type, append_audit.subject_id,
    append_audit.before, append_audit.after, head.hash, null
  );
  entry.hash := base.audit_hash(entry);
  insert into base.audit_log select entry.*;
  update base.audit_head set sequence = entry.sequence, hash = entry.hash where tenant_id = entry.tenant_id;
end $$;

-- The first problem in the current tenant's hash chain; no row if the chain is intact.
create function base.verify_audit_chain() returns table (sequence bigint, problem text)
  language sql stable
begin atomic
  select found.sequence, found.problem
  from (
    select entry.sequence,
           case
             when entry.hash <> base.audit_hash(entry) then 'the row does not match its hash'
             when entry.sequence <> coalesce(lag(entry.sequence) over chain, 0) + 1
               then 'the rows before this one are missing'
             when entry.previous_hash <> coalesce(
               lag(entry.hash) over chain, sha256(convert_to(entry.tenant_id::text, 'UTF8'))
             ) then 'previous_hash does not match the previous row'
           end as problem
    from base.audit_log entry
    where entry.tenant_id = base.current_tenant_id()
    window chain as (order by entry.sequence)
    union all
    select head.sequence,
           case
             when last.sequence is null and head.sequence > 0 then 'all rows are missing'
             when last.sequence < head.sequence then 'the last rows are missing'
             when last.sequence > head.sequence then 'rows exist after the recorded end'
             when last.hash <> head.hash then 'the last row does not match the recorded end'
           end
    from base.audit_head head
    left join lateral (
      select entry.sequence, entry.hash from base.audit_log entry
      where entry.tenant_id = head.tenant_id order by entry.sequence desc limit 1
    ) last on true
    where head.tenant_id = base.current_tenant_id()
    union all
    select 0, 'rows exist, but the recorded end (audit_head) is missing'
    where exists (select from base.audit_log where tenant_id = base.current_tenant_id())
      and not exists (select from base.audit_head where tenant_id = base.current_tenant_id())
  ) found
  where found.problem is not null
  order by found.sequence
  limit 1;
end;

-- The same for the rows after a sequence number, as many as are asked for, so that a long chain can be verified in parts.
-- Returns one row: the last verified one, how many there were, and the first problem. Does not look at audit_head.
create function base.verify_audit_part(after bigint, many integer)
  returns table (verified_to bigint, row_count integer, sequence bigint, problem text)
  language sql stable
begin atomic
  with part as (
    select entry from base.audit_log entry
    where entry.tenant_id = base.current_tenant_id()
      -- From the start on, also rows that someone has put before the first one.
      and entry.sequence > case verify_audit_part.after when 0 then -9223372036854775808 else verify_audit_part.after end
    order by entry.sequence limit verify_audit_part.many
  ), checked as (
    select (entry).sequence,
           case
             when (entry).hash <> base.audit_hash(entry) then 'the row does not match its hash'
             when (entry).sequence <> coalesce(lag((entry).sequence) over chain, verify_audit_part.after) + 1
               then 'the rows before this one are missing'
             when (entry).previous_hash <> coalesce(
               lag((entry).hash) over chain,
               (select before.hash from base.audit_log before
                where before.tenant_id = base.current_tenant_id() and before.sequence = verify_audit_part.after),
               sha256(convert_to((entry).tenant_id::text, 'UTF8'))
             ) then 'previous_hash does not match the previous row'
           end as problem
    from part
    window chain as (order by (entry).sequence)
  ), first as (
    select checked.sequence, checked.problem from checked
    where checked.problem is not null order by checked.sequence limit 1
  )
  select (select max(checked.sequence) from checked), (select count(*)::integer from checked), first.sequence,
         first.problem
  from (values (1)) one (one) left join first on true;
end;

alter table base.audit_log enable row level security, force row level security;
create policy of_tenant on base.audit_log using (tenant_id = base.current_tenant_id());
alter table base.audit_head enable row level security, force row level security;
create policy of_tenant on base.audit_head using (tenant_id = base.current_tenant_id());
grant select on base.audit_log, base.audit_head to investor_token_app;
revoke all on function base.append_audit(text, uuid, uuid, uuid, uuid, text, text, uuid, jsonb, jsonb) from public;
grant execute on function base.append_audit(text, uuid, uuid, uuid, uuid, text, text, uuid, jsonb, jsonb) to investor_token_app;
-- The worker publishes the end of each chain, so that a chain which was rewritten together with its hashes is noticed.
create policy for_worker on base.audit_head for select to investor_token_worker using (true);
create policy for_worker on base.audit_log for select to investor_token_worker using (true);
grant select on base.audit_head to investor_token_worker;
grant select (tenant_id, sequence, hash) on base.audit_log to investor_token_worker;

-- Requests that wait for a second person, in the database that the operation writes to, so that a confirmation and its
-- effect commit together.
create table base.approval (
  tenant_id uuid not null,
  id uuid not null,
  -- What the operation writes to. An installation may keep the directory and a cell in one database.
  database text not null check (database in ('cell', 'directory')),
  -- The id of the operation that was requested.
  operation text not null,
  -- The duty that the proposer needed, and the one that the second person needs.
  duty text not null,
  confirm_duty text not null,
  -- For which offering both need the duty; null if the request concerns no single offering.
  offering_id uuid,
  subject_type text not null,
  subject_id uuid not null,
  -- The validated request: encrypted with the tenant's data key in a cell, plain JSON in the directory, which has no
  -- data keys and stores users and credentials unencrypted anyway.
  request bytea not null,
  -- Identifies the state of the subject that the proposer saw. A confirmation is rejected if it has changed since.
  subject_version text not null,
  amount_minor numeric(38),
  currency text,
  state text not null default 'pending' check (state in ('pending', 'confirmed', 'rejected', 'withdrawn')),
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  primary key (tenant_id, id),
  -- Enforces two users even if the application check, which compares persons, is bypassed.
  constraint approval_two_users check (state <> 'confirmed' or decided_by <> proposed_by),
  constraint approval_amount check ((amount_minor is null) = (currency is null)),
  constraint approval_decision check ((state = 'pending') = (decided_at is null) and (decided_at is null) = (decided_by is null))
);
create index approval_state on base.approval (tenant_id, database, state, id);
create index approval_pending on base.approval (tenant_id, database, proposed_at, id) where state = 'pending';
create index approval_subject on base.approval (tenant_id, subject_id, id);
create index approval_proposed on base.approval (tenant_id, database, proposed_at, id);
create index approval_operation on base.approval (tenant_id, database, operation, proposed_at, id);
alter table base.approval enable row level security, force row level security;
create policy of_tenant on base.approval using (tenant_id = base.current_tenant_id());
grant select, insert, update on base.approval to investor_token_app;
-- For metrics.
create index approval_waiting on base.approval (proposed_at) where state = 'pending';
create policy for_worker on base.approval for select to investor_token_worker using (true);
grant select (database, state, proposed_at, expires_at) on base.approval to investor_token_worker;

-- A restore of this database to an earlier moment. `report` has an entry for each completed step of
-- `maintain after-restore`, which commits with the step, so that the command continues where it was interrupted. Only the
-- owner has access.
create table base.restoration (
  id uuid primary key,
  restored_to timestamptz not null,
  started_at timestamptz not null default clock_timestamp(),
  -- Who had the right to connect and gets it back; an empty name is everyone.
  connect_grantees text[] not null,
  report jsonb not null default '{}',
  opened_at timestamptz
);
create unique index restoration_unfinished on base.restoration ((opened_at is null)) where opened_at is null;

-- Events that leave the house: where a tenant wants to be told of them, and what became of each message.

-- Where messages go.
create table cell.webhook_endpoint (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  url text not null check (length(url) between 1 and 2000),
  description text not null check (length(description) <= 500),
  -- Only events of these types; null for all, also for those that there will be one day.
  types text[] check (cardinality(types) > 0),
  -- Encrypted by the application. The old one signs too until its time is over.
  sealed_secret bytea not null,
  sealed_old_secret bytea,
  old_secret_ends_at timestamptz,
  -- What happened up to this number is from before its time, or from while it was disabled.
  from_sequence bigint not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('OPERATOR', 'GONE', 'FAILING')),
  -- How often in a row nothing got through, and since when: nothing is sent before blocked_until then.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  blocked_until timestamptz,
  -- The job that serves it. Every new one gets the next number, so that one that comes back from the dead sees that its
  -- time is over; is_served says that there is one, at turn_at.
  turn bigint not null default 0,
  is_served boolean not null default false,
  turn_at timestamptz not null,
  -- Events that are sent again: from when, behind which number, how far that is, up to which number.
  resend_since timestamptz,
  resend_after bigint,
  resend_done bigint,
  resend_until bigint,
  primary key (tenant_id, id),
  constraint webhook_endpoint_disabled check ((disabled_at is null) = (disabled_reason is null)),
  constraint webhook_endpoint_old_secret check ((sealed_old_secret is null) = (old_secret_ends_at is null)),
  constraint webhook_endpoint_failing check ((failures = 0) = (failing_since is null)),
  constraint webhook_endpoint_resend check (
    num_nonnulls(resend_since, resend_after, resend_done, resend_until) in (0, 4)
    and resend_after <= resend_done and resend_done <= resend_until
  )
);
create index webhook_endpoint_resending on cell.webhook_endpoint (tenant_id) where resend_done < resend_until;
create index webhook_endpoint_turn on cell.webhook_endpoint (turn_at) where is_served;
alter table cell.webhook_endpoint enable row level security, force row level security;
create policy of_tenant on cell.webhook_endpoint using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.webhook_endpoint to investor_token_app;
-- The worker finds whose turn it is, and learns neither addresses nor secrets by that.
create policy for_worker on cell.webhook_endpoint for select to investor_token_worker using (true);
grant select (tenant_id, id, resend_done, resend_until, is_served, turn_at) on cell.webhook_endpoint
  to investor_token_worker;

-- Up to which number the events of a tenant have become messages. A tenant that never had an endpoint has no row.
create table cell.webhook_cursor (
  tenant_id uuid primary key references cell.tenant (id),
  sequence bigint not null
);
alter table cell.webhook_cursor enable row level security, force row level security;
create policy of_tenant on cell.webhook_cursor using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.webhook_cursor to investor_token_app;
create policy for_worker on cell.webhook_cursor for select to investor_token_worker using (true);
grant select on cell.webhook_cursor to investor_token_worker;

-- One event for one endpoint. It stands on the day of its event, so that both go at the same time; a ping has no event.
create table cell.webhook_delivery (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  day date not null,
  sequence bigint,
  type text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED', 'DROPPED')),
  -- Attempts since it was queued or sent again: where it is in the schedule.
  tries integer not null default 0 check (tries >= 0),
  due_at timestamptz not null,
  created_at timestamptz not null,
  -- All attempts there were, and the last of them: when, what came of it, the status and how long it took.
  attempt_count integer not null default 0 check (attempt_count >= 0),
  attempts jsonb not null default '[]',
  primary key (tenant_id, endpoint_id, event_id, day),
  foreign key (tenant_id, endpoint_id) references cell.webhook_endpoint (tenant_id, id)
) partition by range (day);
create index webhook_delivery_due on cell.webhook_delivery (tenant_id, endpoint_id, due_at, sequence)
  where state = 'PENDING';
create index webhook_delivery_created on cell.webhook_delivery (tenant_id, endpoint_id, created_at, sequence);
alter table cell.webhook_delivery enable row level security, force row level security;
create policy of_tenant on cell.webhook_delivery using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.webhook_delivery to investor_token_app;
create table cell.webhook_delivery_default partition of cell.webhook_delivery default;

create or replace function cell.roll_partitions() returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time; who comes second has nothing to do.
  if not pg_try_advisory_xact_lock(hashtextextended('cell.roll_partitions', 0)) then
    return;
  end if;
  perform cell.roll_partitions_of('cell.idempotency', 1);
  perform cell.roll_partitions_of('cell.event', 30);
  perform cell.roll_partitions_of('cell.webhook_delivery', 30);
end $$;
select cell.roll_partitions();

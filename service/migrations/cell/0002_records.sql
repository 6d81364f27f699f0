-- Events of a tenant. An event commits with the change that it describes.

-- Writers insert events here without a sequence number, so that writers of the same tenant do not block each other.
create table cell.event_outbox (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  -- Insertion order: if one change has seen another, its number is larger.
  insertion bigint not null generated always as identity,
  type text not null,
  -- The scope required to read the event; null if only the credential in client_id may read it.
  scope text,
  client_id uuid,
  version date not null,
  data jsonb not null,
  -- What the event adds to the sums of an offering: an integer for each measure. Integrators do not see it.
  offering_id uuid,
  sums jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint event_outbox_reader check (num_nonnulls(scope, client_id) = 1),
  -- Fails in the transaction that records the event; the generated columns below would fail the numbering of the cell.
  constraint event_outbox_ids check (num_nonnulls((data ->> 'order_id')::uuid, (data ->> 'account_id')::uuid,
                                                  (data ->> 'offering_id')::uuid) >= 0)
);
create index event_outbox_insertion on cell.event_outbox (insertion);
alter table cell.event_outbox enable row level security, force row level security;
create policy of_tenant on cell.event_outbox using (tenant_id = base.current_tenant_id());
grant select, insert on cell.event_outbox to investor_token_app;

-- The last sequence number assigned to an event of the tenant.
create table cell.event_head (
  tenant_id uuid primary key references cell.tenant (id),
  last_sequence bigint not null,
  -- The last restore of the database to an earlier moment: the last number before it, the number of the event that
  -- reports it, and the moment. The numbers between them are never assigned again: integrators may have seen them.
  kept_sequence bigint,
  restored_sequence bigint,
  restored_to timestamptz,
  constraint event_head_restore check (
    num_nulls(kept_sequence, restored_sequence, restored_to) in (0, 3) and kept_sequence < restored_sequence
    and restored_sequence <= last_sequence
  )
);
alter table cell.event_head enable row level security, force row level security;
create policy of_tenant on cell.event_head using (tenant_id = base.current_tenant_id());
grant select on cell.event_head to investor_token_app;

-- Sequenced events, kept for 30 days. Only a restore of the database leaves a gap within a tenant.
create table cell.event (
  tenant_id uuid not null,
  sequence bigint not null,
  -- The UTC day on which the sequence number was assigned.
  day date not null,
  id uuid not null,
  type text not null,
  scope text,
  client_id uuid,
  version date not null,
  data jsonb not null,
  offering_id uuid,
  sums jsonb,
  created_at timestamptz not null,
  -- What the event is about, for timelines. Columns, because row-level security cannot use an index on data.
  about_order uuid generated always as ((data ->> 'order_id')::uuid) stored,
  about_account uuid generated always as ((data ->> 'account_id')::uuid) stored,
  about_offering uuid generated always as ((data ->> 'offering_id')::uuid) stored,
  primary key (tenant_id, sequence, day)
) partition by range (day);
-- For operators, who read all scopes.
create index event_type on cell.event (tenant_id, type, sequence);
create index event_scope on cell.event (tenant_id, scope, sequence);
create index event_client on cell.event (tenant_id, client_id, sequence) where client_id is not null;
create index event_id on cell.event (tenant_id, id);
create index event_order on cell.event (tenant_id, about_order, created_at, id) where about_order is not null;
create index event_account on cell.event (tenant_id, about_account, created_at, id) where about_account is not null;
create index event_offering on cell.event (tenant_id, about_offering, created_at, id) where about_offering is not null;
alter table cell.event enable row level security, force row level security;
create policy of_tenant on cell.event using (tenant_id = base.current_tenant_id());
grant select on cell.event to investor_token_app;
create table cell.event_default partition of cell.event default;

-- What the events of an offering add up to, by UTC day and since its first order. The worker adds to both in the
-- statement that numbers the events, so each event counts once and no writer waits for a counter. Without a foreign key to
-- the offering: numbering the events of a cell must not wait for the lock on one offering.
create table cell.daily_sum (
  tenant_id uuid not null references cell.tenant (id),
  offering_id uuid not null,
  day date not null,
  measure text not null,
  amount numeric not null,
  primary key (tenant_id, offering_id, day, measure)
);
alter table cell.daily_sum enable row level security, force row level security;
create policy of_tenant on cell.daily_sum using (tenant_id = base.current_tenant_id());
create policy for_worker on cell.daily_sum to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = daily_sum.tenant_id and residence.state = 'here')
);
grant select on cell.daily_sum to investor_token_app;
grant select, insert, update on cell.daily_sum to investor_token_worker;

create table cell.offering_sum (
  tenant_id uuid not null references cell.tenant (id),
  offering_id uuid not null,
  measure text not null,
  amount numeric not null,
  primary key (tenant_id, offering_id, measure)
);
alter table cell.offering_sum enable row level security, force row level security;
create policy of_tenant on cell.offering_sum using (tenant_id = base.current_tenant_id());
create policy for_worker on cell.offering_sum to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = offering_sum.tenant_id and residence.state = 'here')
);
grant select on cell.offering_sum to investor_token_app;
grant select, insert, update on cell.offering_sum to investor_token_worker;

-- Corrects the sums of the current tenant to what its events add up to, and returns from which day on and how many were
-- wrong. Days before the oldest event that is kept stay as they are. Each difference is found in one snapshot and then
-- added, so events can be numbered meanwhile; only another rebuild must wait.
create function cell.rebuild_sums() returns table (from_day date, corrected bigint)
  language plpgsql security definer set search_path = ''
as $$
declare
  tenant constant uuid := base.current_tenant_id();
  first_day date;
  changed bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('cell.rebuild_sums ' || tenant, 0));
  -- An event is numbered on the day on which it happened or later, so all events of this day and later ones are kept.
  select min(day) into first_day from cell.event where tenant_id = tenant;
  with counted as (
    select event.offering_id, (event.created_at at time zone 'utc')::date as day, measure.name as measure,
           sum(measure.amount::numeric) as amount
    from cell.event cross join lateral jsonb_each_text(event.sums) measure (name, amount)
    where event.tenant_id = tenant and event.offering_id is not null
    group by 1, 2, 3
  ), daily as (
    select offering_id, day, measure, coalesce(counted.amount, 0) - coalesce(daily_sum.amount, 0) as difference
    from (select * from counted where day >= first_day) counted
    full join (select * from cell.daily_sum where tenant_id = tenant and day >= first_day) daily_sum
      using (offering_id, day, measure)
  ), total as (
    select offering_id, measure, coalesce(summed.amount, 0) - coalesce(offering_sum.amount, 0) as difference
    from (
      select offering_id, measure, sum(amount) as amount
      from (
        select offering_id, measure, amount from cell.daily_sum where tenant_id = tenant
        union all
        select offering_id, measure, difference from daily
      ) parts
      group by 1, 2
    ) summed
    full join (select * from cell.offering_sum where tenant_id = tenant) offering_sum using (offering_id, measure)
  ), corrected_daily as (
    insert into cell.daily_sum as stored (tenant_id, offering_id, day, measure, amount)
    select tenant, offering_id, day, measure, difference from daily where difference <> 0
    on conflict (tenant_id, offering_id, day, measure) do update set amount = stored.amount + excluded.amount
    returning 1
  ), corrected_total as (
    insert into cell.offering_sum as stored (tenant_id, offering_id, measure, amount)
    select tenant, offering_id, measure, difference from total where difference <> 0
    on conflict (tenant_id, offering_id, measure) do update set amount = stored.amount + excluded.amount
    returning 1
  )
  select (select count(*) from corrected_daily) + (select count(*) from corrected_total) into changed;
  return query select first_day, changed;
end $$;
revoke all on function cell.rebuild_sums() from public;
grant execute on function cell.rebuild_sums() to investor_token_app;

-- The worker sequences the events of all tenants. It cannot read sequenced events.
create policy for_worker on cell.event_outbox to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = event_outbox.tenant_id and residence.state = 'here')
);
create policy for_worker on cell.event_head to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = event_head.tenant_id and residence.state = 'here')
);
create policy for_worker on cell.event to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = event.tenant_id and residence.state = 'here')
);
grant select, delete on cell.event_outbox to investor_token_worker;
grant select, insert, update on cell.event_head to investor_token_worker;
grant insert on cell.event to investor_token_worker;

-- What operators search by: words of names, e-mail addresses, references, addresses, hashes, and keyed hashes of sealed
-- IBANs. Written and deleted in the transaction that changes the subject. A prefix is a range of terms, which row-level
-- security can use the primary key for; hence the collation.
create table cell.search_term (
  tenant_id uuid not null references cell.tenant (id),
  kind text not null check (length(kind) between 1 and 40),
  term text collate "C" not null check (length(term) between 1 and 200),
  subject_id uuid not null,
  primary key (tenant_id, kind, term, subject_id)
);
create index search_term_subject on cell.search_term (tenant_id, subject_id, kind, term);
alter table cell.search_term enable row level security, force row level security;
create policy of_tenant on cell.search_term using (tenant_id = base.current_tenant_id());
grant select, insert, delete on cell.search_term to investor_token_app;

-- What operators write about a resource for each other.
create table cell.note (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  subject_type text not null check (subject_type in ('order', 'account', 'offering', 'unassigned_payment', 'refund')),
  subject_id uuid not null,
  author_id uuid not null,
  -- Encrypted by the application, since it may say anything about a person.
  text bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index note_subject on cell.note (tenant_id, subject_id, id);
alter table cell.note enable row level security, force row level security;
create policy of_tenant on cell.note using (tenant_id = base.current_tenant_id());
grant select, insert, delete on cell.note to investor_token_app;

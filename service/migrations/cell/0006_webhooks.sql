-- Delivery of events to a tenant's endpoints.

create table cell.webhook_endpoint (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  url text not null check (length(url) between 1 and 2000),
  description text not null check (length(description) <= 500),
  -- The event types to deliver; null means all, including types added later.
  types text[] check (cardinality(types) > 0),
  -- Both encrypted by the application. During a rotation, messages carry a signature of each secret until
  -- previous_secret_ends_at.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_ends_at timestamptz,
  -- Only events after this sequence number are delivered: earlier ones predate the endpoint or fell into a period in
  -- which it was disabled.
  after_sequence bigint not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  -- GONE: the receiver responded with 410 Gone. UNVERIFIED: it did not echo the challenge in time.
  disabled_reason text check (disabled_reason in ('OPERATOR', 'GONE', 'FAILING', 'UNVERIFIED')),
  -- The receiver proves that it wants messages by echoing the challenge. Until then it is sent nothing else.
  challenge text,
  challenge_ends_at timestamptz,
  verified_at timestamptz,
  -- Consecutive failed batches and when they began. The worker sends nothing before backoff_until.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  backoff_until timestamptz,
  -- The delivery job of this endpoint. has_job means that a job is queued or running; it is due at job_due_at, which a
  -- running job renews with every batch. job_number is a fencing token: every new job increments it, and a job with an
  -- older number stops without sending or changing anything more.
  job_number bigint not null default 0,
  has_job boolean not null default false,
  job_due_at timestamptz not null,
  -- The requested resend: events since resend_since, that is after sequence resend_after, through resend_until. The
  -- worker has queued them through resend_done.
  resend_since timestamptz,
  resend_after bigint,
  resend_done bigint,
  resend_until bigint,
  primary key (tenant_id, id),
  constraint webhook_endpoint_disabled check ((disabled_at is null) = (disabled_reason is null)),
  constraint webhook_endpoint_previous_secret check ((previous_secret is null) = (previous_secret_ends_at is null)),
  constraint webhook_endpoint_challenge check (
    (verified_at is null) = (challenge is not null) and (challenge is null) = (challenge_ends_at is null)
  ),
  constraint webhook_endpoint_failing check ((failures = 0) = (failing_since is null)),
  constraint webhook_endpoint_resend check (
    num_nonnulls(resend_since, resend_after, resend_done, resend_until) in (0, 4)
    and resend_after <= resend_done and resend_done <= resend_until
  )
);
create index webhook_endpoint_resending on cell.webhook_endpoint (tenant_id) where resend_done < resend_until;
create index webhook_endpoint_job on cell.webhook_endpoint (job_due_at) where has_job;
alter table cell.webhook_endpoint enable row level security, force row level security;
create policy of_tenant on cell.webhook_endpoint using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.webhook_endpoint to investor_token_app;
-- The worker schedules the endpoints of all tenants without access to their URLs and secrets.
create policy for_worker on cell.webhook_endpoint for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = webhook_endpoint.tenant_id and residence.state = 'here')
);
grant select (
  tenant_id, id, resend_done, resend_until, has_job, job_due_at, disabled_at, verified_at, failures
) on cell.webhook_endpoint to investor_token_worker;

-- The last event sequence number for which deliveries exist. A tenant that never had an endpoint has no row.
create table cell.webhook_cursor (
  tenant_id uuid primary key references cell.tenant (id),
  sequence bigint not null
);
alter table cell.webhook_cursor enable row level security, force row level security;
create policy of_tenant on cell.webhook_cursor using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.webhook_cursor to investor_token_app;
create policy for_worker on cell.webhook_cursor for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = webhook_cursor.tenant_id and residence.state = 'here')
);
grant select on cell.webhook_cursor to investor_token_worker;

-- One event for one endpoint. A ping has no event, hence no sequence.
create table cell.webhook_delivery (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- The day of the event, so that both are dropped at the same time.
  day date not null,
  sequence bigint,
  type text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED', 'DROPPED')),
  -- Attempts since the delivery was last queued: its step in the retry schedule. A resend resets it to 0.
  attempts_since_queued integer not null default 0 check (attempts_since_queued >= 0),
  due_at timestamptz not null,
  created_at timestamptz not null,
  -- The number of all attempts, and the time, outcome, status and duration of the most recent ones.
  attempt_count integer not null default 0 check (attempt_count >= 0),
  attempts jsonb not null default '[]',
  primary key (tenant_id, endpoint_id, event_id, day),
  foreign key (tenant_id, endpoint_id) references cell.webhook_endpoint (tenant_id, id)
) partition by range (day);
create index webhook_delivery_due on cell.webhook_delivery (tenant_id, endpoint_id, due_at, sequence)
  where state = 'PENDING';
create index webhook_delivery_created on cell.webhook_delivery (tenant_id, endpoint_id, created_at, event_id);
alter table cell.webhook_delivery enable row level security, force row level security;
create policy of_tenant on cell.webhook_delivery using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.webhook_delivery to investor_token_app;
-- For metrics.
create policy for_worker on cell.webhook_delivery for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = webhook_delivery.tenant_id and residence.state = 'here')
);
grant select (tenant_id, endpoint_id, state, due_at) on cell.webhook_delivery to investor_token_worker;
create table cell.webhook_delivery_default partition of cell.webhook_delivery default;

-- Refunds that go to the bank together in one file, and the providers that tell of payments.

create table cell.payout (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  status text not null default 'open' check (status in ('open', 'downloaded', 'discarded')),
  -- Only refunds in this one; null for all.
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- When the bank shall pay; null for the day of the download.
  execution_date date,
  created_at timestamptz not null,
  downloaded_at timestamptz,
  discarded_at timestamptz,
  -- What was downloaded, encrypted by the application: it names people and their accounts. The same bytes every time.
  file bytea,
  primary key (tenant_id, id),
  constraint payout_is_whole check (
    (status = 'downloaded') = (file is not null) and (status = 'downloaded') = (downloaded_at is not null)
    and (status = 'discarded') = (discarded_at is not null)
  )
);
create index payout_status on cell.payout (tenant_id, status, id);
alter table cell.payout enable row level security, force row level security;
create policy of_tenant on cell.payout using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.payout to investor_token_app;

-- Which refunds are in which file. One that failed and is due again may be in a later file too.
create table cell.payout_refund (
  tenant_id uuid not null,
  payout_id uuid not null,
  refund_id uuid not null,
  is_open boolean not null default true,
  primary key (tenant_id, payout_id, refund_id),
  foreign key (tenant_id, payout_id) references cell.payout (tenant_id, id),
  foreign key (tenant_id, refund_id) references cell.refund (tenant_id, id)
);
-- Never in two files at a time, whatever the code believes: the money would go out twice.
create unique index payout_refund_open on cell.payout_refund (tenant_id, refund_id) where is_open;
alter table cell.payout_refund enable row level security, force row level security;
create policy of_tenant on cell.payout_refund using (tenant_id = base.current_tenant_id());
grant select, insert, delete, update (is_open) on cell.payout_refund to investor_token_app;

-- Who tells of payments over HTTP, and with what they sign. Which tenant an id belongs to is in the directory.
create table cell.payment_provider (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  kind text not null check (kind in ('stripe', 'standard')),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  -- Encrypted by the application. While a secret is being changed, the one before it counts too.
  secret bytea not null,
  previous_secret bytea,
  previous_ends_at timestamptz,
  created_at timestamptz not null,
  disabled_at timestamptz,
  primary key (tenant_id, id),
  constraint payment_provider_previous_is_whole check ((previous_secret is null) = (previous_ends_at is null)),
  -- Payments of Stripe are known by their own ids, whichever endpoint tells of them.
  constraint payment_provider_of_stripe check ((kind = 'stripe') = (name = 'stripe'))
);
-- The same reference of the same name is the same payment: two that are live must not have one name.
create unique index payment_provider_name on cell.payment_provider (tenant_id, name) where disabled_at is null;
alter table cell.payment_provider enable row level security, force row level security;
create policy of_tenant on cell.payment_provider using (tenant_id = base.current_tenant_id());
grant select, insert, update (secret, previous_secret, previous_ends_at, disabled_at) on cell.payment_provider
  to investor_token_app;

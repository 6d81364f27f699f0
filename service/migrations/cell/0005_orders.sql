-- What investors buy. Price, total, currency and where to pay to are what they were when the order was made.
create table cell.token_order (
  tenant_id uuid not null,
  id uuid not null,
  offering_id uuid not null,
  account_id uuid not null,
  offering_position bigint not null,
  account_position bigint not null,
  status text not null default 'ORDERED' check (
    status in ('ORDERED', 'PAID', 'NOPAYMENT', 'READYTOMINT', 'MINTING', 'MINTED', 'CANCELLED')
  ),
  units numeric(78, 0) not null check (units > 0),
  price_per_token numeric not null,
  total_amount numeric not null check (total_amount >= 0),
  paid_amount numeric not null default 0 check (paid_amount >= 0),
  currency text not null,
  payment_provider text check (payment_provider in ('bank_transfer', 'stripe', 'checkout', 'tokensale')),
  payment_bank_account jsonb not null,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  cancelled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, offering_id) references cell.offering (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  constraint token_order_cancelled_has_date check ((status = 'CANCELLED') = (cancelled_at is not null))
);
create unique index token_order_offering_position on cell.token_order (tenant_id, offering_id, offering_position);
create unique index token_order_account_position on cell.token_order (tenant_id, account_id, account_position);
alter table cell.token_order enable row level security, force row level security;
create policy of_tenant on cell.token_order using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.token_order to investor_token_app;

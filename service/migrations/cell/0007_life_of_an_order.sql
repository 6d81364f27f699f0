-- Payments, refunds, wallets that are proven, and what carries an order from one state to the next.

alter table cell.offering
  add column acceptance_required boolean not null default false,
  add column payment_term_days integer not null default 14 check (payment_term_days between 1 and 365),
  -- How much less than the total still counts as paid: banks take their fees out of what they transfer.
  add column payment_tolerance numeric not null default 0 check (payment_tolerance >= 0),
  add column opened_at timestamptz,
  add column closed_at timestamptz;
update cell.offering set opened_at = case when status <> 'DRAFT' then created_at end,
                         closed_at = case when status = 'CLOSED' then created_at end;
grant insert, update, delete on cell.offering_name to investor_token_app;

alter table cell.wallet
  add column blockchain text not null default 'ethereum' check (length(blockchain) between 1 and 100),
  add column challenge_nonce text,
  add column challenge_expires_at timestamptz,
  add column proven_at timestamptz;
-- An address belongs to one investor: whose tokens would be there otherwise?
create unique index wallet_address on cell.wallet (tenant_id, blockchain, lower(public_address));
create index wallet_challenge on cell.wallet (challenge_expires_at) where status = 'PENDING';
grant insert, update on cell.wallet to investor_token_app;

alter table cell.token_order
  -- What the buyer writes on the transfer, so that the money finds its order.
  add column payment_reference text,
  add column payment_due_at timestamptz,
  add column accepted_at timestamptz,
  -- Where the tokens go; fixed when everything else is there.
  add column mint_wallet_id uuid,
  -- Why it does not advance, as last told in an event.
  add column told_blockers text[] not null default '{}',
  add constraint token_order_mint_wallet foreign key (tenant_id, account_id, mint_wallet_id)
    references cell.wallet (tenant_id, account_id, id);
update cell.token_order set payment_reference = 'IT' || upper(substr(replace(id::text, '-', ''), 1, 16)),
                            payment_due_at = created_at + interval '14 days';
alter table cell.token_order alter column payment_reference set not null, alter column payment_due_at set not null;
create unique index token_order_payment_reference on cell.token_order (tenant_id, payment_reference);
create index token_order_due on cell.token_order (payment_due_at) where status = 'ORDERED';
create index token_order_status on cell.token_order (tenant_id, status, id);
-- For the gates of an account: only the orders that wait there, and those that cost nothing and so wait for nothing.
create index token_order_gated on cell.token_order (tenant_id, account_id, id)
  where status in ('PAID', 'READYTOMINT') or (status = 'ORDERED' and total_amount = 0);

-- The worker looks for what is due in all tenants. It sees which and when, and nothing else.
create policy for_worker on cell.token_order for select to investor_token_worker using (true);
grant select (tenant_id, id, status, payment_due_at) on cell.token_order to investor_token_worker;
create policy for_worker on cell.wallet for select to investor_token_worker using (true);
grant select (tenant_id, id, status, challenge_expires_at) on cell.wallet to investor_token_worker;

-- Money that came in. The same money reported twice is one row.
create table cell.payment (
  tenant_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  provider text not null check (provider in ('manual', 'bank_transfer', 'stripe', 'checkout', 'tokensale')),
  provider_reference text not null check (length(provider_reference) between 1 and 200),
  amount numeric not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  received_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, provider, provider_reference),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id)
);
create index payment_order on cell.payment (tenant_id, order_id);
alter table cell.payment enable row level security, force row level security;
create policy of_tenant on cell.payment using (tenant_id = base.current_tenant_id());
grant select, insert on cell.payment to investor_token_app;

-- Money that goes back, and how far it has come.
create table cell.refund (
  tenant_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  reason text not null check (reason in ('overpaid', 'not_paid_in_time', 'late', 'cancelled')),
  amount numeric not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Withdrawn: the money was applied to the order after all, before anybody sent it.
  status text not null default 'due' check (status in ('due', 'sent', 'settled', 'failed', 'withdrawn')),
  reference text,
  failure text,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id)
);
create index refund_order on cell.refund (tenant_id, order_id);
create index refund_status on cell.refund (tenant_id, status, id);
alter table cell.refund enable row level security, force row level security;
create policy of_tenant on cell.refund using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.refund to investor_token_app;

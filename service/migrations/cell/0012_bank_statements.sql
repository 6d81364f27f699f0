-- Money that fits no order, and the bank statements that most of it comes from.

-- Money that came in and that nobody could give to an order yet. It waits for an operator.
create table cell.unassigned_payment (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null check (provider in ('manual', 'bank_transfer', 'stripe', 'checkout', 'tokensale')),
  provider_reference text not null check (length(provider_reference) between 1 and 200),
  amount numeric not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  received_at timestamptz not null,
  -- Who paid and what they wrote, sealed: names, an account and free text.
  payer bytea not null,
  status text not null default 'open' check (status in ('open', 'assigned', 'dismissed')),
  order_id uuid,
  dismissal_reason text check (length(dismissal_reason) between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, provider, provider_reference),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id),
  constraint unassigned_payment_decided check (
    (status = 'assigned') = (order_id is not null) and (status = 'dismissed') = (dismissal_reason is not null)
  )
);
create index unassigned_payment_status on cell.unassigned_payment (tenant_id, status, id);
alter table cell.unassigned_payment enable row level security, force row level security;
create policy of_tenant on cell.unassigned_payment using (tenant_id = base.current_tenant_id());
grant select, insert on cell.unassigned_payment to investor_token_app;
grant update (status, order_id, dismissal_reason, changed_at) on cell.unassigned_payment to investor_token_app;

-- One statement of one account, as a bank's file had it, and what became of its entries.
create table cell.bank_statement (
  tenant_id uuid not null,
  id uuid not null,
  -- Of the file that it came in: the same file again is known by it.
  file_hash bytea not null check (length(file_hash) = 32),
  -- Of the tenant, where buyers pay to; nobody's secret.
  account text not null check (length(account) between 1 and 70),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  bank_id text not null,
  sequence text,
  opening_balance numeric,
  closing_balance numeric,
  entry_count integer not null default 0 check (entry_count >= 0),
  duplicate_count integer not null default 0,
  -- How many of them are where; those in none of these wait.
  booked_count integer not null default 0,
  unassigned_count integer not null default 0,
  refund_settled_count integer not null default 0,
  refund_failed_count integer not null default 0,
  other_count integer not null default 0,
  attention_count integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint bank_statement_counts check (
    booked_count + unassigned_count + refund_settled_count + refund_failed_count + other_count + attention_count
      <= entry_count
  )
);
create index bank_statement_file on cell.bank_statement (tenant_id, file_hash);
alter table cell.bank_statement enable row level security, force row level security;
create policy of_tenant on cell.bank_statement using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.bank_statement to investor_token_app;

-- One movement of money. The same one in two files, or twice in one, is one row.
create table cell.bank_entry (
  tenant_id uuid not null,
  id uuid not null,
  statement_id uuid not null,
  position integer not null,
  identity text not null check (length(identity) = 43),
  is_credit boolean not null,
  is_reversal boolean not null,
  amount numeric not null check (amount >= 0),
  booked_on date not null,
  bank_reference text check (length(bank_reference) <= 70),
  -- Who paid, what they wrote, what the other side called it: sealed.
  details bytea not null,
  state text not null default 'waiting' check (
    state in ('waiting', 'booked', 'unassigned', 'refund_settled', 'refund_failed', 'other', 'attention')
  ),
  -- What it did: the order that was paid, the refund that moved, or the money that waits.
  order_id uuid,
  refund_id uuid,
  unassigned_payment_id uuid,
  -- Why somebody has to look at it.
  note text check (length(note) <= 500),
  primary key (tenant_id, id),
  unique (tenant_id, identity),
  foreign key (tenant_id, statement_id) references cell.bank_statement (tenant_id, id),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id),
  foreign key (tenant_id, refund_id) references cell.refund (tenant_id, id),
  foreign key (tenant_id, unassigned_payment_id) references cell.unassigned_payment (tenant_id, id),
  constraint bank_entry_attention check ((state = 'attention') = (note is not null))
);
create unique index bank_entry_position on cell.bank_entry (tenant_id, statement_id, position);
create index bank_entry_state on cell.bank_entry (tenant_id, statement_id, state, position);
alter table cell.bank_entry enable row level security, force row level security;
create policy of_tenant on cell.bank_entry using (tenant_id = base.current_tenant_id());
grant select, insert on cell.bank_entry to investor_token_app;
grant update (state, order_id, refund_id, unassigned_payment_id, note) on cell.bank_entry to investor_token_app;

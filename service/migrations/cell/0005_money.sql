-- Bank statements, payments that match no order, payouts of refunds, and payment providers.

-- Payments that could not be matched to an order. An operator assigns or dismisses them.
create table cell.unassigned_payment (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null check (provider in ('manual', 'bank_transfer', 'stripe', 'checkout', 'tokensale')),
  provider_reference text not null check (length(provider_reference) between 1 and 200),
  amount numeric not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  received_at timestamptz not null,
  -- Name, account and remittance text of the payer, encrypted by the application.
  payer bytea not null,
  status text not null default 'open' check (status in ('open', 'assigned', 'dismissed')),
  order_id uuid,
  dismissal_reason text check (length(dismissal_reason) between 1 and 500),
  -- Why the payment was not booked to the order that it names.
  note text check (length(note) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, provider, provider_reference),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id),
  constraint unassigned_payment_status_has_decision check (
    (status = 'assigned') = (order_id is not null) and (status = 'dismissed') = (dismissal_reason is not null)
  )
);
create index unassigned_payment_status on cell.unassigned_payment (tenant_id, status, id);
alter table cell.unassigned_payment enable row level security, force row level security;
create policy of_tenant on cell.unassigned_payment using (tenant_id = base.current_tenant_id());
grant select, insert, update (status, order_id, dismissal_reason, changed_at) on cell.unassigned_payment
  to investor_token_app;

-- A statement of one bank account, imported from a bank's file.
create table cell.bank_statement (
  tenant_id uuid not null,
  id uuid not null,
  -- Of the imported file; detects a file that is imported again.
  file_hash bytea not null check (length(file_hash) = 32),
  -- The tenant's collection account. Buyers see it, so it is not encrypted.
  account text not null check (length(account) between 1 and 70),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  bank_id text not null,
  sequence text,
  opening_balance numeric,
  closing_balance numeric,
  -- The day of the closing balance and the number of the statement put the statements of an account in order.
  closes_on date,
  sequence_number bigint not null default 0,
  -- Whether the statement begins with the closing balance of the one before it. gap: a statement is missing between them.
  continuity text check (continuity in ('first', 'ok', 'gap')),
  expected_opening_balance numeric,
  -- How an operator resolved the gap.
  gap_resolution text check (length(gap_resolution) between 1 and 500),
  entry_count integer not null default 0 check (entry_count >= 0),
  duplicate_count integer not null default 0,
  -- The number of entries in each state; all others are still pending.
  booked_count integer not null default 0,
  unassigned_count integer not null default 0,
  refund_settled_count integer not null default 0,
  refund_failed_count integer not null default 0,
  payment_reversed_count integer not null default 0,
  other_count integer not null default 0,
  needs_attention_count integer not null default 0,
  resolved_count integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint bank_statement_counts_within_entries check (
    booked_count + unassigned_count + refund_settled_count + refund_failed_count + payment_reversed_count + other_count
      + needs_attention_count + resolved_count <= entry_count
  ),
  constraint bank_statement_gap_has_balance check (
    (continuity is not distinct from 'gap') = (expected_opening_balance is not null)
    and (gap_resolution is null or continuity = 'gap')
  )
);
create index bank_statement_file on cell.bank_statement (tenant_id, file_hash);
create index bank_statement_order on cell.bank_statement (tenant_id, account, currency, closes_on, sequence_number);
-- The statements with pending entries, for the worker.
create index bank_statement_pending on cell.bank_statement (tenant_id, id) where (
  booked_count + unassigned_count + refund_settled_count + refund_failed_count + payment_reversed_count
    + other_count + needs_attention_count + resolved_count < entry_count
);
alter table cell.bank_statement enable row level security, force row level security;
create policy of_tenant on cell.bank_statement using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.bank_statement to investor_token_app;

-- An entry of a statement. If an entry occurs in two files, or twice in one, it is stored once.
create table cell.bank_entry (
  tenant_id uuid not null,
  id uuid not null,
  statement_id uuid not null,
  position integer not null,
  -- A hash that is the same for the same entry in any file.
  fingerprint text not null check (length(fingerprint) = 43),
  is_credit boolean not null,
  is_reversal boolean not null,
  amount numeric not null check (amount >= 0),
  booked_on date not null,
  bank_reference text check (length(bank_reference) <= 70),
  -- The counterparty, its reference and the remittance text, encrypted by the application.
  details bytea not null,
  state text not null default 'pending' check (
    state in (
      'pending', 'booked', 'unassigned', 'refund_settled', 'refund_failed', 'payment_reversed', 'other',
      'needs_attention', 'resolved'
    )
  ),
  -- The effect of the entry: the order that was paid or whose payment was reversed, the settled or failed refund, or the
  -- unassigned payment.
  order_id uuid,
  refund_id uuid,
  unassigned_payment_id uuid,
  -- Why an operator has to review the entry.
  note text check (length(note) <= 500),
  -- How the operator resolved it.
  resolution text check (length(resolution) between 1 and 500),
  primary key (tenant_id, id),
  unique (tenant_id, fingerprint),
  foreign key (tenant_id, statement_id) references cell.bank_statement (tenant_id, id),
  foreign key (tenant_id, order_id) references cell.token_order (tenant_id, id),
  foreign key (tenant_id, refund_id) references cell.refund (tenant_id, id),
  foreign key (tenant_id, unassigned_payment_id) references cell.unassigned_payment (tenant_id, id),
  constraint bank_entry_state_has_note_and_resolution check (
    (state in ('needs_attention', 'resolved')) = (note is not null)
    and (state = 'resolved') = (resolution is not null)
  )
);
create unique index bank_entry_position on cell.bank_entry (tenant_id, statement_id, position);
-- Finds the credit that a reversal with the same bank reference takes back.
create index bank_entry_credit on cell.bank_entry (tenant_id, bank_reference)
  where is_credit and bank_reference is not null;
create index bank_entry_state on cell.bank_entry (tenant_id, statement_id, state, position);
alter table cell.bank_entry enable row level security, force row level security;
create policy of_tenant on cell.bank_entry using (tenant_id = base.current_tenant_id());
grant select, insert, update (state, order_id, refund_id, unassigned_payment_id, note, resolution) on cell.bank_entry
  to investor_token_app;

-- A batch of refunds, sent to the bank as one file.
create table cell.payout (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  status text not null default 'open' check (status in ('open', 'downloaded', 'discarded')),
  -- Limits the batch to refunds in this currency; null means all.
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- The execution date for the bank; null means the day of the download.
  execution_date date,
  created_at timestamptz not null,
  downloaded_at timestamptz,
  discarded_at timestamptz,
  -- Encrypted by the application, since it contains names and accounts. Stored so that every download returns the same
  -- bytes.
  file bytea,
  primary key (tenant_id, id),
  constraint payout_status_has_file_and_times check (
    (status = 'downloaded') = (file is not null) and (status = 'downloaded') = (downloaded_at is not null)
    and (status = 'discarded') = (discarded_at is not null)
  )
);
create index payout_status on cell.payout (tenant_id, status, id);
alter table cell.payout enable row level security, force row level security;
create policy of_tenant on cell.payout using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.payout to investor_token_app;

-- The refunds in each payout. A refund that failed and is due again can be in a later payout as well.
create table cell.payout_refund (
  tenant_id uuid not null,
  payout_id uuid not null,
  refund_id uuid not null,
  is_open boolean not null default true,
  primary key (tenant_id, payout_id, refund_id),
  foreign key (tenant_id, payout_id) references cell.payout (tenant_id, id),
  foreign key (tenant_id, refund_id) references cell.refund (tenant_id, id)
);
-- Keeps a refund out of two open payouts even if the application has a bug: the bank would pay it twice.
create unique index payout_refund_open on cell.payout_refund (tenant_id, refund_id) where is_open;
alter table cell.payout_refund enable row level security, force row level security;
create policy of_tenant on cell.payout_refund using (tenant_id = base.current_tenant_id());
grant select, insert, delete, update (is_open) on cell.payout_refund to investor_token_app;

-- Providers that report payments over HTTP, and their signing secrets. The directory maps a provider id to its tenant.
create table cell.payment_provider (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  kind text not null check (kind in ('stripe', 'standard')),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  -- Both encrypted by the application. After a rotation, the previous secret stays valid until previous_secret_ends_at.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_ends_at timestamptz,
  created_at timestamptz not null,
  disabled_at timestamptz,
  primary key (tenant_id, id),
  constraint payment_provider_previous_secret check ((previous_secret is null) = (previous_secret_ends_at is null)),
  -- Stripe's payment ids are unique across endpoints, so all Stripe providers share a name.
  constraint payment_provider_stripe_name check ((kind = 'stripe') = (name = 'stripe'))
);
-- A payment is identified by provider name and reference, so two enabled providers must not share a name.
create unique index payment_provider_name on cell.payment_provider (tenant_id, name) where disabled_at is null;
alter table cell.payment_provider enable row level security, force row level security;
create policy of_tenant on cell.payment_provider using (tenant_id = base.current_tenant_id());
grant select, insert, update (secret, previous_secret, previous_secret_ends_at, disabled_at) on cell.payment_provider
  to investor_token_app;

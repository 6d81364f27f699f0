-- Bank statements, payments that match no order, payouts of refunds, and payment providers.

-- Payments that could not be matched to an order. An operator assigns, splits, returns or dismisses them.
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
  status text not null default 'open' check (status in ('open', 'assigned', 'split', 'returned', 'dismissed')),
  -- What is neither booked to an order nor on its way back to the payer.
  unassigned_amount numeric not null,
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
  ),
  constraint unassigned_payment_status_has_amount check (
    unassigned_amount between 0 and amount and (unassigned_amount > 0) = (status in ('open', 'dismissed'))
  )
);
create index unassigned_payment_status on cell.unassigned_payment (tenant_id, status, id);
create index unassigned_payment_open on cell.unassigned_payment (tenant_id, created_at, id) where status = 'open';
create index unassigned_payment_currency on cell.unassigned_payment (tenant_id, currency, id);
alter table cell.unassigned_payment enable row level security, force row level security;
create policy of_tenant on cell.unassigned_payment using (tenant_id = base.current_tenant_id());
grant select, insert, update (status, unassigned_amount, order_id, dismissal_reason, note, changed_at)
  on cell.unassigned_payment to investor_token_app;
alter table cell.payment add foreign key (tenant_id, unassigned_payment_id)
  references cell.unassigned_payment (tenant_id, id);
alter table cell.refund add foreign key (tenant_id, unassigned_payment_id)
  references cell.unassigned_payment (tenant_id, id);

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
  -- Imported by a person: its entries have no effect until a second person agrees.
  waits_for_booking boolean not null default false,
  -- It waited for booking, and an operator decided that it must not be booked. Its entries were removed.
  discarded_at timestamptz,
  discard_reason text check (length(discard_reason) between 1 and 500),
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
  constraint bank_statement_discarded check (
    (discarded_at is null) = (discard_reason is null)
    and (discarded_at is null or not waits_for_booking and entry_count = 0)
  ),
  constraint bank_statement_gap_has_balance check (
    (continuity is not distinct from 'gap') = (expected_opening_balance is not null)
    and (gap_resolution is null or continuity = 'gap')
  )
);
create index bank_statement_account on cell.bank_statement (tenant_id, account, id);
create index bank_statement_file on cell.bank_statement (tenant_id, file_hash);
create index bank_statement_order on cell.bank_statement (tenant_id, account, currency, closes_on, sequence_number);
create index bank_statement_open_gap on cell.bank_statement (tenant_id, created_at, id)
  where continuity = 'gap' and gap_resolution is null;
create index bank_statement_waiting on cell.bank_statement (tenant_id, id) where waits_for_booking;
-- For the list of what is missing.
create index bank_statement_gap on cell.bank_statement (tenant_id, id) where continuity = 'gap';
-- The statements with pending entries, for the worker.
create index bank_statement_pending on cell.bank_statement (tenant_id, id) where (
  not waits_for_booking and booked_count + unassigned_count + refund_settled_count + refund_failed_count + payment_reversed_count
    + other_count + needs_attention_count + resolved_count < entry_count
);
alter table cell.bank_statement enable row level security, force row level security;
create policy of_tenant on cell.bank_statement using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.bank_statement to investor_token_app;
-- For metrics.
create index bank_statement_created on cell.bank_statement (created_at);
create policy for_worker on cell.bank_statement for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = bank_statement.tenant_id and residence.state = 'here')
);
grant select (tenant_id, account, continuity, gap_resolution, waits_for_booking, created_at) on cell.bank_statement
  to investor_token_worker;

-- The imported files as the bank made them, in encrypted chunks of 1 MiB. The hash finds and verifies them.
create table cell.statement_file (
  tenant_id uuid not null references cell.tenant (id),
  file_hash bytea not null check (length(file_hash) = 32),
  chunk integer not null check (chunk >= 0),
  content bytea not null,
  primary key (tenant_id, file_hash, chunk)
);
alter table cell.statement_file enable row level security, force row level security;
create policy of_tenant on cell.statement_file using (tenant_id = base.current_tenant_id());
grant select, insert, delete on cell.statement_file to investor_token_app;

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
-- For lists over all statements.
create index bank_entry_all_states on cell.bank_entry (tenant_id, state, id);
create index bank_entry_booked_on on cell.bank_entry (tenant_id, booked_on, id);
create index bank_entry_attention on cell.bank_entry (tenant_id, booked_on, id) where state = 'needs_attention';
alter table cell.bank_entry enable row level security, force row level security;
create policy of_tenant on cell.bank_entry using (tenant_id = base.current_tenant_id());
grant select, insert, delete, update (state, order_id, refund_id, unassigned_payment_id, note, resolution)
  on cell.bank_entry to investor_token_app;
-- For metrics.
create policy for_worker on cell.bank_entry for select to investor_token_worker using (
  exists (select from cell.residence where residence.tenant_id = bank_entry.tenant_id and residence.state = 'here')
);
grant select (state) on cell.bank_entry to investor_token_worker;
-- A later import takes entries over from a statement that waits. Others are never deleted.
create policy delete_waiting on cell.bank_entry as restrictive for delete to investor_token_app using (
  state = 'pending' and exists (
    select from cell.bank_statement
    where bank_statement.tenant_id = bank_entry.tenant_id and bank_statement.id = bank_entry.statement_id
      and bank_statement.waits_for_booking
  )
);

-- A batch of refunds, sent to the bank as one file.
create table cell.payout (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  status text not null default 'open' check (status in ('open', 'released', 'downloaded', 'discarded')),
  -- Limits the batch to refunds in this currency; null means all.
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- The execution date for the bank; null means the day of the download.
  execution_date date,
  created_at timestamptz not null,
  released_at timestamptz,
  downloaded_at timestamptz,
  discarded_at timestamptz,
  -- Encrypted by the application, since it contains names and accounts. Stored so that every download returns the same
  -- bytes.
  file bytea,
  primary key (tenant_id, id),
  constraint payout_status_has_file_and_times check (
    (status = 'downloaded') = (file is not null) and (status = 'downloaded') = (downloaded_at is not null)
    and (status = 'discarded') = (discarded_at is not null)
    -- Only a released payout has a file.
    and case status when 'open' then released_at is null when 'discarded' then true else released_at is not null end
  )
);
create index payout_status on cell.payout (tenant_id, status, id);
alter table cell.payout enable row level security, force row level security;
create policy of_tenant on cell.payout using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.payout to investor_token_app;

-- The refunds in each payout and whom they pay. A refund that failed and is due again can be in a later payout as well.
create table cell.payout_refund (
  tenant_id uuid not null,
  payout_id uuid not null,
  refund_id uuid not null,
  is_open boolean not null default true,
  -- Name, IBAN and BIC, encrypted by the application. Chosen when the payout is created; the application cannot change it.
  creditor bytea not null,
  -- payer: who paid. account: the bank data of the investor's account.
  creditor_source text not null check (creditor_source in ('payer', 'account')),
  primary key (tenant_id, payout_id, refund_id),
  foreign key (tenant_id, payout_id) references cell.payout (tenant_id, id),
  foreign key (tenant_id, refund_id) references cell.refund (tenant_id, id)
);
-- Keeps a refund out of two open payouts even if the application has a bug: the bank would pay it twice.
create unique index payout_refund_open on cell.payout_refund (tenant_id, refund_id) where is_open;
create index payout_refund_refund on cell.payout_refund (tenant_id, refund_id);
alter table cell.payout_refund enable row level security, force row level security;
create policy of_tenant on cell.payout_refund using (tenant_id = base.current_tenant_id());
grant select, insert, delete, update (is_open) on cell.payout_refund to investor_token_app;

-- A restore of the database to an earlier moment. Refunds that were paid after that moment look due again, so no payout
-- goes to the bank until statements show what it has paid. Only `maintain` writes it.
create table cell.payout_stop (
  tenant_id uuid primary key references cell.tenant (id),
  restored_to timestamptz not null,
  -- Statements of this day contain whatever was sent to the bank before the restore.
  statements_until date not null,
  resumed_at timestamptz,
  resume_reason text check (length(resume_reason) between 1 and 500),
  constraint payouts_resumed check ((resumed_at is null) = (resume_reason is null))
);
alter table cell.payout_stop enable row level security, force row level security;
create policy of_tenant on cell.payout_stop using (tenant_id = base.current_tenant_id());
grant select on cell.payout_stop to investor_token_app;

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
create index payment_provider_created on cell.payment_provider (tenant_id, created_at, id);
-- A payment is identified by provider name and reference, so two enabled providers must not share a name.
create unique index payment_provider_name on cell.payment_provider (tenant_id, name) where disabled_at is null;
alter table cell.payment_provider enable row level security, force row level security;
create policy of_tenant on cell.payment_provider using (tenant_id = base.current_tenant_id());
grant select, insert, update (secret, previous_secret, previous_secret_ends_at, disabled_at) on cell.payment_provider
  to investor_token_app;

-- When a provider last sent a notification, to the minute. A separate table, because an approval to change a provider is
-- for the row that the proposer saw.
create table cell.payment_provider_use (
  tenant_id uuid not null,
  provider_id uuid not null,
  last_notified_at timestamptz not null,
  primary key (tenant_id, provider_id),
  foreign key (tenant_id, provider_id) references cell.payment_provider (tenant_id, id)
);
alter table cell.payment_provider_use enable row level security, force row level security;
create policy of_tenant on cell.payment_provider_use using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.payment_provider_use to investor_token_app;
-- Erasing an investor's data. Payers and creditors decide where money goes, so the application role has no right to change
-- them; these functions replace them only if the account is already erased, and cannot touch a refund that is still to be
-- paid. The placeholders are sealed by the application.
create function cell.is_order_of_erased_account(id uuid) returns boolean
  language sql stable set search_path = ''
  return exists (
    select from cell.token_order
    join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
    where token_order.tenant_id = base.current_tenant_id() and token_order.id = is_order_of_erased_account.id
      and account.erased_at is not null
  );

-- A payment that was split over orders: of erased accounts only, since its payer may be any of them.
create function cell.is_payment_of_erased_accounts(id uuid) returns boolean
  language sql stable set search_path = ''
  return (
    select coalesce(bool_and(cell.is_order_of_erased_account(payment.order_id)), false) from cell.payment
    where payment.tenant_id = base.current_tenant_id()
      and payment.unassigned_payment_id = is_payment_of_erased_accounts.id
  );

create function cell.erase_payers(account_id uuid) returns void
  language sql security definer set search_path = ''
begin atomic
  update cell.payment set payer = null
  from cell.token_order
  where payment.tenant_id = base.current_tenant_id() and token_order.tenant_id = payment.tenant_id
    and token_order.id = payment.order_id and token_order.account_id = erase_payers.account_id
    and cell.is_order_of_erased_account(token_order.id);
end;

create function cell.erase_unassigned_payer(id uuid, placeholder bytea) returns void
  language sql security definer set search_path = ''
begin atomic
  update cell.unassigned_payment set payer = erase_unassigned_payer.placeholder, note = null
  where unassigned_payment.tenant_id = base.current_tenant_id() and unassigned_payment.id = erase_unassigned_payer.id
    and (unassigned_payment.status = 'assigned' and cell.is_order_of_erased_account(unassigned_payment.order_id)
         or unassigned_payment.status = 'split' and cell.is_payment_of_erased_accounts(unassigned_payment.id));
end;

create function cell.erase_bank_entry(id uuid, placeholder bytea) returns void
  language sql security definer set search_path = ''
begin atomic
  update cell.bank_entry
  set details = erase_bank_entry.placeholder, note = case when note is not null then 'erased' end,
      resolution = case when resolution is not null then 'erased' end
  where bank_entry.tenant_id = base.current_tenant_id() and bank_entry.id = erase_bank_entry.id
    and bank_entry.state <> 'pending'
    and (cell.is_payment_of_erased_accounts(bank_entry.unassigned_payment_id) or cell.is_order_of_erased_account(coalesce(
      bank_entry.order_id,
      (select refund.order_id from cell.refund
       where refund.tenant_id = bank_entry.tenant_id and refund.id = bank_entry.refund_id),
      (select unassigned_payment.order_id from cell.unassigned_payment
       where unassigned_payment.tenant_id = bank_entry.tenant_id
         and unassigned_payment.id = bank_entry.unassigned_payment_id)
    )));
end;

create function cell.erase_creditor(payout_id uuid, refund_id uuid, placeholder bytea) returns void
  language sql security definer set search_path = ''
begin atomic
  update cell.payout_refund set creditor = erase_creditor.placeholder
  from cell.refund
  where payout_refund.tenant_id = base.current_tenant_id() and payout_refund.payout_id = erase_creditor.payout_id
    and payout_refund.refund_id = erase_creditor.refund_id and refund.tenant_id = payout_refund.tenant_id
    and refund.id = payout_refund.refund_id and refund.status in ('settled', 'withdrawn')
    and cell.is_order_of_erased_account(refund.order_id);
end;

revoke all on function cell.is_order_of_erased_account(uuid), cell.erase_payers(uuid),
  cell.erase_unassigned_payer(uuid, bytea), cell.erase_bank_entry(uuid, bytea), cell.erase_creditor(uuid, uuid, bytea)
  from public;
grant execute on function cell.erase_payers(uuid), cell.erase_unassigned_payer(uuid, bytea),
  cell.erase_bank_entry(uuid, bytea), cell.erase_creditor(uuid, uuid, bytea) to investor_token_app;

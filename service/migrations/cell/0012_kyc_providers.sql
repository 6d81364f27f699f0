-- KYC providers, what they report about accounts, and until when an approval of an account is valid.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- Providers that report the results of KYC checks over HTTP. The directory maps a provider id to its tenant.
create table cell.kyc_provider (
  tenant_id uuid not null references cell.tenant (id),
  id uuid not null,
  kind text not null check (kind in ('sumsub', 'standard')),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  -- Both encrypted by the application. After a rotation, the previous secret stays valid until previous_secret_ends_at.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_ends_at timestamptz,
  -- apply: an approval sets the status of the account. queue: an operator decides. Rejections always wait for one.
  approvals text not null check (approvals in ('apply', 'queue')),
  -- Longest validity of an approval; null: as long as the provider says.
  validity_days integer check (validity_days between 1 and 3650),
  created_at timestamptz not null,
  disabled_at timestamptz,
  primary key (tenant_id, id),
  constraint kyc_provider_previous_secret check ((previous_secret is null) = (previous_secret_ends_at is null))
);
create index kyc_provider_created on cell.kyc_provider (tenant_id, created_at, id);
create unique index kyc_provider_name on cell.kyc_provider (tenant_id, name) where disabled_at is null;
alter table cell.kyc_provider enable row level security, force row level security;
create policy of_tenant on cell.kyc_provider using (tenant_id = base.current_tenant_id());
grant select, insert,
  update (secret, previous_secret, previous_secret_ends_at, approvals, validity_days, disabled_at) on cell.kyc_provider
  to investor_token_app;

-- One result that a provider reported about an account. The row stays when the account is erased, so that a
-- notification that is sent again still has no effect.
create table cell.kyc_check (
  tenant_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  -- SHA-256 of the provider's name for the result, which may name the person. It stays when the account is erased.
  reference_hash text not null check (reference_hash ~ '^[0-9a-f]{64}$'),
  account_id uuid not null,
  kind text not null check (kind in ('kyc', 'kyb')),
  outcome text not null check (outcome in ('approved', 'rejected')),
  -- For a rejection: true if the investor may not retry.
  is_final boolean not null,
  -- Time by the provider's clock.
  decided_at timestamptz not null,
  received_at timestamptz not null,
  valid_until timestamptz,
  -- queued: waits for an operator. applied: the account has, or had, the status that it says. dismissed: by an
  -- operator. outdated: a newer decision existed when it arrived, or replaced it while it waited.
  status text not null check (status in ('queued', 'applied', 'dismissed', 'outdated')),
  status_changed_at timestamptz not null,
  -- Details from the provider, encrypted by the application. Null once the account is erased.
  details bytea,
  primary key (tenant_id, id),
  foreign key (tenant_id, provider_id) references cell.kyc_provider (tenant_id, id),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  constraint kyc_check_final check (outcome = 'rejected' or not is_final)
);
-- A result counts once, however often its notification is sent.
create unique index kyc_check_reference on cell.kyc_check (tenant_id, provider_id, reference_hash);
create index kyc_check_received on cell.kyc_check (tenant_id, provider_id, received_at);
create index kyc_check_account on cell.kyc_check (tenant_id, account_id, id);
create index kyc_check_status on cell.kyc_check (tenant_id, status, id);
create index kyc_check_queued on cell.kyc_check (tenant_id, received_at, id) where status = 'queued';
alter table cell.kyc_check enable row level security, force row level security;
create policy of_tenant on cell.kyc_check using (tenant_id = base.current_tenant_id());
grant select, insert, update (status, status_changed_at, details) on cell.kyc_check to investor_token_app;

-- Last decision on the kyc or kyb status of an account: its time, its check, and the end of an approval's validity. An
-- account without a row was last decided before this table existed, or when it was created.
create table cell.account_approval (
  tenant_id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('kyc', 'kyb')),
  decided_at timestamptz not null,
  -- Null if a person or an integrator decided.
  check_id uuid,
  valid_until timestamptz,
  primary key (tenant_id, account_id, kind),
  foreign key (tenant_id, account_id) references cell.account (tenant_id, id),
  foreign key (tenant_id, check_id) references cell.kyc_check (tenant_id, id)
);
create index account_approval_valid_until on cell.account_approval (valid_until) where valid_until is not null;
alter table cell.account_approval enable row level security, force row level security;
create policy of_tenant on cell.account_approval using (tenant_id = base.current_tenant_id());
grant select, insert, update on cell.account_approval to investor_token_app;
-- The worker finds ended approvals of all tenants and sees only these columns.
create policy for_worker on cell.account_approval for select to investor_token_worker using (
  exists (select from cell.residence
          where residence.tenant_id = account_approval.tenant_id and residence.state = 'here')
);
grant select (tenant_id, account_id, kind, valid_until) on cell.account_approval to investor_token_worker;

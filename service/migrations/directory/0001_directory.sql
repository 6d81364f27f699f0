-- Tenants, their callers, and the cell that stores each tenant's data. An installation has exactly one directory.

grant usage on schema directory to investor_token_app;

-- The id of the credential, personal token or payment provider that the caller presents, or null. The policies below
-- expose the row with that id, so a process can look up the caller before it knows the tenant, without a function that
-- bypasses row-level security.
create function directory.current_client_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.client_id', true), '')::uuid;
create function directory.current_token_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.token_id', true), '')::uuid;
create function directory.current_provider_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.provider_id', true), '')::uuid;

create table directory.tenant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  cell text not null check (cell ~ '^[a-z][a-z0-9-]{0,30}$'),
  disabled_at timestamptz,
  -- What the tenant may use of what all tenants share. Only maintain set-tenant-limits changes it: the tenant's admins
  -- could otherwise raise their own limit. The requests are those of all its credentials together.
  requests_per_minute_max integer not null default 6000 check (requests_per_minute_max between 1 and 600000),
  credentials_max integer not null default 50 check (credentials_max between 0 and 10000),
  users_max integer not null default 200 check (users_max between 0 and 10000),
  personal_tokens_max integer not null default 500 check (personal_tokens_max between 0 and 100000),
  invitations_per_day_max integer not null default 50 check (invitations_per_day_max between 0 and 10000),
  created_at timestamptz not null default now()
);

-- The people who run a tenant.
create table directory.operator_user (
  tenant_id uuid not null references directory.tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 254),
  role text not null default 'admin' check (role in ('viewer', 'operator', 'admin')),
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- Partial, so that a removed user can be invited again.
create unique index operator_user_email on directory.operator_user (tenant_id, lower(email)) where removed_at is null;

-- What users authenticate with on the operator API.
create table directory.personal_token (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  pepper_id text not null,
  mac bytea not null check (length(mac) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references directory.operator_user (tenant_id, id)
);
-- Tokens are looked up by id alone, before the tenant is known.
create unique index personal_token_id on directory.personal_token (id);
create index personal_token_user on directory.personal_token (tenant_id, user_id);

create table directory.credential (
  tenant_id uuid not null references directory.tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array[
      'offering.read', 'account.create', 'account.read', 'account.update', 'wallet.read',
      'order.create', 'order.read', 'order.update', 'order.delete'
    ]
  ),
  default_version date,
  requests_per_minute integer not null default 30 check (requests_per_minute between 1 and 60000),
  -- Tokens with an earlier iat are rejected. Whole seconds, like iat.
  tokens_not_before timestamptz not null default '-infinity',
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- Credentials are looked up by id alone, before the tenant is known.
create unique index credential_id on directory.credential (id);

-- Two slots, so that at most two secrets are valid at once: enough to rotate a secret without downtime.
create table directory.credential_secret (
  tenant_id uuid not null,
  credential_id uuid not null,
  slot smallint not null check (slot in (1, 2)),
  pepper_id text not null,
  mac bytea not null check (length(mac) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (tenant_id, credential_id, slot),
  foreign key (tenant_id, credential_id) references directory.credential (tenant_id, id)
);

-- Consecutive authentication failures of a credential. A separate table, because every failure updates the row and an
-- update of the credential itself would invalidate caches.
create table directory.failed_authentication (
  tenant_id uuid not null,
  credential_id uuid not null,
  consecutive integer not null check (consecutive >= 0),
  last_failed_at timestamptz not null,
  primary key (tenant_id, credential_id),
  foreign key (tenant_id, credential_id) references directory.credential (tenant_id, id)
);

-- The tenant that a payment provider reports payments for. The provider's secrets are in the tenant's cell.
create table directory.payment_provider (
  tenant_id uuid not null references directory.tenant (id),
  id uuid not null,
  primary key (tenant_id, id)
);
-- Providers are looked up by id alone, before the tenant is known.
create unique index payment_provider_id on directory.payment_provider (id);

-- API processes poll this table every second to evict cached tenants and credentials. `subject` is the id of a tenant
-- or a credential. The table contains nothing but ids, so it has no tenant_id and no policy.
create table directory.cache_invalidation (
  subject uuid not null,
  changed_at timestamptz not null
);
create index cache_invalidation_changed_at on directory.cache_invalidation (changed_at);

create function directory.invalidate_cache() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from directory.cache_invalidation where changed_at < clock_timestamp() - interval '1 hour';
  insert into directory.cache_invalidation (subject, changed_at) values (new.id, clock_timestamp());
  return null;
end $$;
create trigger invalidate_cache after update on directory.tenant
  for each row execute function directory.invalidate_cache();
create trigger invalidate_cache after update on directory.credential
  for each row execute function directory.invalidate_cache();

alter table directory.tenant enable row level security, force row level security;
create policy of_tenant on directory.tenant
  using (
    id = base.current_tenant_id()
    or id = (select credential.tenant_id from directory.credential where credential.id = directory.current_client_id())
    or id = (select token.tenant_id from directory.personal_token token where token.id = directory.current_token_id())
  )
  with check (id = base.current_tenant_id());

alter table directory.operator_user enable row level security, force row level security;
create policy of_tenant on directory.operator_user
  using (
    tenant_id = base.current_tenant_id()
    or (tenant_id, id) in (
      select token.tenant_id, token.user_id from directory.personal_token token
      where token.id = directory.current_token_id()
    )
  )
  with check (tenant_id = base.current_tenant_id());

alter table directory.personal_token enable row level security, force row level security;
create policy of_tenant on directory.personal_token
  using (tenant_id = base.current_tenant_id() or id = directory.current_token_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.credential enable row level security, force row level security;
create policy of_tenant on directory.credential
  using (tenant_id = base.current_tenant_id() or id = directory.current_client_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.credential_secret enable row level security, force row level security;
create policy of_tenant on directory.credential_secret
  using (tenant_id = base.current_tenant_id() or credential_id = directory.current_client_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.failed_authentication enable row level security, force row level security;
create policy of_tenant on directory.failed_authentication
  using (tenant_id = base.current_tenant_id() or credential_id = directory.current_client_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.payment_provider enable row level security, force row level security;
create policy of_tenant on directory.payment_provider
  using (tenant_id = base.current_tenant_id() or id = directory.current_provider_id())
  with check (tenant_id = base.current_tenant_id());

grant select, insert, update on
  directory.tenant, directory.operator_user, directory.personal_token, directory.credential,
  directory.credential_secret, directory.failed_authentication
  to investor_token_app;
grant select, insert on directory.payment_provider to investor_token_app;
grant select on directory.cache_invalidation, directory.migration to investor_token_app;

-- Who may call, and where each tenant's rows live. There is one directory for the whole installation.

grant usage on schema directory to investor_token_app;

-- The credential that is being presented in this transaction, or null. Whoever names a credential's id may look at that
-- one row: that is how a caller is found before its tenant is known, without a function that bypasses the policies.
create function directory.presented_client_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.client_id', true), '')::uuid;

create table directory.tenant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  cell text not null check (cell ~ '^[a-z][a-z0-9-]{0,30}$'),
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);

create table directory.administrator (
  tenant_id uuid not null references directory.tenant (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 254),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index administrator_email on directory.administrator (tenant_id, lower(email));

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
  -- A token whose iat lies before this moment is refused. Whole seconds, as iat is.
  tokens_not_before timestamptz not null default '-infinity',
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- A credential is looked up by its id alone, before the tenant is known.
create unique index credential_id on directory.credential (id);

-- At most two secrets are alive at a time, so that an integrator can change them without a gap: the slot holds that.
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

-- The streak of wrong secrets of a credential. Apart from the credential, since it changes with every wrong secret.
create table directory.failed_authentication (
  tenant_id uuid not null,
  credential_id uuid not null,
  consecutive integer not null check (consecutive >= 0),
  last_failed_at timestamptz not null,
  primary key (tenant_id, credential_id),
  foreign key (tenant_id, credential_id) references directory.credential (tenant_id, id)
);

-- What API processes read every second to drop what they remember of a credential or a tenant. It holds ids only, so it
-- is no tenant table. `subject` is a credential's or a tenant's id.
create table directory.change_notice (
  subject uuid not null,
  changed_at timestamptz not null
);
create index change_notice_changed_at on directory.change_notice (changed_at);

create function directory.notice_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from directory.change_notice where changed_at < clock_timestamp() - interval '1 hour';
  insert into directory.change_notice (subject, changed_at) values (new.id, clock_timestamp());
  return null;
end $$;
create trigger notice_change after update on directory.tenant for each row execute function directory.notice_change();
create trigger notice_change after update on directory.credential for each row execute function directory.notice_change();

alter table directory.tenant enable row level security, force row level security;
create policy of_tenant on directory.tenant
  using (
    id = base.current_tenant_id()
    or id = (select credential.tenant_id from directory.credential where credential.id = directory.presented_client_id())
  )
  with check (id = base.current_tenant_id());

alter table directory.administrator enable row level security, force row level security;
create policy of_tenant on directory.administrator using (tenant_id = base.current_tenant_id());

alter table directory.credential enable row level security, force row level security;
create policy of_tenant on directory.credential
  using (tenant_id = base.current_tenant_id() or id = directory.presented_client_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.credential_secret enable row level security, force row level security;
create policy of_tenant on directory.credential_secret
  using (tenant_id = base.current_tenant_id() or credential_id = directory.presented_client_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.failed_authentication enable row level security, force row level security;
create policy of_tenant on directory.failed_authentication
  using (tenant_id = base.current_tenant_id() or credential_id = directory.presented_client_id())
  with check (tenant_id = base.current_tenant_id());

grant select, insert, update on
  directory.tenant, directory.administrator, directory.credential, directory.credential_secret,
  directory.failed_authentication
  to investor_token_app;
grant select on directory.change_notice, directory.migration to investor_token_app;

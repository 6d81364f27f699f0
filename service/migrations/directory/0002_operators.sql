-- The people who run a tenant, and the tokens that they call the operator's API with.

alter table directory.administrator
  add column role text not null default 'administrator' check (role in ('viewer', 'operator', 'administrator')),
  add column removed_at timestamptz;
drop index directory.administrator_email;
-- Somebody who was removed may be invited again.
create unique index administrator_email on directory.administrator (tenant_id, lower(email)) where removed_at is null;

-- The personal token that is being presented in this transaction, or null; see directory.presented_client_id().
create function directory.presented_token_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.token_id', true), '')::uuid;

create table directory.personal_token (
  tenant_id uuid not null,
  id uuid not null,
  administrator_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  pepper_id text not null,
  mac bytea not null check (length(mac) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, administrator_id) references directory.administrator (tenant_id, id)
);
-- A token is looked up by its id alone, before the tenant is known.
create unique index personal_token_id on directory.personal_token (id);
create index personal_token_administrator on directory.personal_token (tenant_id, administrator_id);

alter table directory.personal_token enable row level security, force row level security;
create policy of_tenant on directory.personal_token
  using (tenant_id = base.current_tenant_id() or id = directory.presented_token_id())
  with check (tenant_id = base.current_tenant_id());
grant select, insert, update on directory.personal_token to investor_token_app;

alter policy of_tenant on directory.administrator
  using (
    tenant_id = base.current_tenant_id()
    or (tenant_id, id) in (
      select token.tenant_id, token.administrator_id from directory.personal_token token
      where token.id = directory.presented_token_id()
    )
  )
  with check (tenant_id = base.current_tenant_id());
alter policy of_tenant on directory.tenant
  using (
    id = base.current_tenant_id()
    or id = (select credential.tenant_id from directory.credential where credential.id = directory.presented_client_id())
    or id = (select token.tenant_id from directory.personal_token token where token.id = directory.presented_token_id())
  );

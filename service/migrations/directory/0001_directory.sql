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
create function directory.current_session_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.session_id', true), '')::uuid;
create function directory.current_invitation_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.invitation_id', true), '')::uuid;
create function directory.current_device_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.device_id', true), '')::uuid;
-- The person who is signing in. Its id is derived from issuer and subject, so it is known before the row is read.
create function directory.current_identity_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.identity_id', true), '')::uuid;

-- The tenant and the user to whom the presented credential, token, session or invitation belongs. The functions below
-- store them in settings: subqueries in the policies would cost more to initialize, in each table of a query, than
-- finding the session.
create function directory.presented_tenant_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.presented_tenant_id', true), '')::uuid;
create function directory.presented_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.presented_user_id', true), '')::uuid;

create table directory.tenant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  cell text not null check (cell ~ '^[a-z][a-z0-9-]{0,30}$'),
  -- Incremented by each move to another cell. A cell serves the tenant only with the same epoch.
  epoch bigint not null default 1 check (epoch > 0),
  -- The name of the OpenID provider in the settings at which its people sign in; null: with passkeys only.
  identity_provider text check (identity_provider ~ '^[a-z][a-z0-9-]{0,30}$'),
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

-- A person, as their identity provider or their passkey identifies them. Belongs to no tenant: one person may run
-- several. Two persons are two identities, never two users.
create table directory.operator_identity (
  id uuid primary key,
  -- The issuer URL of an OpenID provider, or `passkey` for a person who signs in with a passkey only.
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 500),
  created_at timestamptz not null default now(),
  unique (issuer, subject)
);

create table directory.passkey (
  identity_id uuid not null references directory.operator_identity (id),
  id bytea not null check (length(id) between 1 and 1023),
  public_key bytea not null,
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (identity_id, id)
);

-- Challenges of passkeys are not stored when they are created, since anyone can ask for one. A used one is kept until it
-- expires, so that the response of an authenticator cannot be replayed.
create table directory.used_challenge (
  identity_id uuid not null references directory.operator_identity (id),
  challenge bytea not null check (length(challenge) = 56),
  expires_at timestamptz not null,
  primary key (identity_id, challenge)
);

-- A device without a browser, such as the command line, that asks to act for a person (RFC 8628). The person and the tenant
-- are known when it is confirmed. The id follows from either code.
create table directory.device_authorization (
  id uuid primary key,
  pepper_id text not null,
  mac bytea not null check (length(mac) = 32),
  device_name text not null check (length(device_name) between 1 and 100),
  source_address text not null,
  user_agent text not null check (length(user_agent) <= 300),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_polled_at timestamptz,
  confirmed_tenant_id uuid,
  confirmed_user_id uuid,
  confirmed_session_id uuid,
  used_at timestamptz,
  constraint device_confirmation_is_whole check (
    (confirmed_tenant_id is null) = (confirmed_user_id is null)
    and (confirmed_tenant_id is null) = (confirmed_session_id is null)
  )
);
create index device_authorization_expiry on directory.device_authorization (expires_at);

-- The users who run a tenant: people who sign in, and service users that only have tokens.
create table directory.operator_user (
  tenant_id uuid not null references directory.tenant (id),
  id uuid not null,
  kind text not null default 'person' check (kind in ('person', 'service')),
  name text not null check (length(name) between 1 and 200),
  -- Null for a service user.
  email text check (length(email) between 3 and 254),
  -- Null until the invited person has signed in with the link of the invitation, and always for a service user.
  identity_id uuid references directory.operator_identity (id),
  -- The user who invited this one; null if `maintain` did.
  invited_by uuid,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint operator_user_kind check (case kind
    when 'service' then identity_id is null and email is null
    else email is not null
  end)
);
create index operator_user_created on directory.operator_user (tenant_id, created_at, id);
-- Partial, so that a removed user can be invited again.
create unique index operator_user_email on directory.operator_user (tenant_id, lower(email)) where removed_at is null;
-- One person is one user of a tenant: otherwise they could confirm what they proposed.
create unique index operator_user_identity on directory.operator_user (tenant_id, identity_id)
  where removed_at is null;
create index operator_user_of_identity on directory.operator_user (identity_id);

create table directory.operator_duty (
  tenant_id uuid not null,
  user_id uuid not null,
  duty text not null check (duty in (
    'read', 'personal', 'offerings', 'compliance', 'money', 'release', 'settlement', 'token', 'integrations', 'team'
  )),
  -- Null if the duty applies to all offerings.
  offering_ids uuid[] check (cardinality(offering_ids) > 0),
  -- The user who granted it; null if `maintain` did.
  granted_by uuid,
  granted_at timestamptz not null default now(),
  primary key (tenant_id, user_id, duty),
  foreign key (tenant_id, user_id) references directory.operator_user (tenant_id, id)
);

-- Two duties that one user must not have together.
create table directory.forbidden_duty_pair (
  tenant_id uuid not null references directory.tenant (id),
  duty text not null,
  other_duty text not null check (duty < other_duty),
  primary key (tenant_id, duty, other_duty)
);

-- From which amount on an operation needs a second person. Without a row it always does.
create table directory.approval_policy (
  tenant_id uuid not null references directory.tenant (id),
  policy text not null,
  -- In minor units of the currency of the amount; null if the operation never needs a second person.
  from_minor bigint check (from_minor > 0),
  primary key (tenant_id, policy)
);

-- The one-time link of an invitation mail, or of a break-glass sign-in.
create table directory.invitation (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('invitation', 'break_glass')),
  pepper_id text not null,
  mac bytea not null check (length(mac) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references directory.operator_user (tenant_id, id)
);
create unique index invitation_id on directory.invitation (id);

-- A signed-in person. Its cookie is a secret, of which only the HMAC is stored.
create table directory.operator_session (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  identity_id uuid not null references directory.operator_identity (id),
  pepper_id text not null,
  mac bytea not null check (length(mac) = 32),
  -- A break-glass session cannot confirm anything for 24 hours.
  is_break_glass boolean not null default false,
  -- For the logout of the provider; null for a sign-in by passkey.
  provider_session text,
  user_agent text not null default '' check (length(user_agent) <= 300),
  source_address text not null default '' check (length(source_address) <= 64),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When the person last used a passkey, or the provider vouched for a second factor.
  stepped_up_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references directory.operator_user (tenant_id, id)
);
-- Sessions are looked up by id alone, before the tenant is known.
create unique index operator_session_id on directory.operator_session (id);
create index operator_session_user on directory.operator_session (tenant_id, user_id, created_at, id);
create index operator_session_identity on directory.operator_session (identity_id);

-- What scripts authenticate with on the operator API.
create table directory.personal_token (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- The session in which its owner created it. Revoking the session revokes the token. Null for a service user.
  session_id uuid,
  -- The person who saw the secret of a service user's token, and could act as that user. Null for a person's own token.
  shown_to uuid,
  name text not null check (length(name) between 1 and 200),
  pepper_id text not null,
  mac bytea not null check (length(mac) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references directory.operator_user (tenant_id, id),
  foreign key (tenant_id, session_id) references directory.operator_session (tenant_id, id)
);
-- Tokens are looked up by id alone, before the tenant is known.
create unique index personal_token_id on directory.personal_token (id);
create index personal_token_user on directory.personal_token (tenant_id, user_id, created_at, id);
create index personal_token_session on directory.personal_token (tenant_id, session_id);
create index personal_token_expiring on directory.personal_token (tenant_id, expires_at, id) where revoked_at is null;

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
create index credential_created on directory.credential (tenant_id, created_at, id);
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
create index credential_secret_expiring on directory.credential_secret (tenant_id, expires_at, credential_id)
  where expires_at is not null;

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

-- When a credential last obtained a token, to the minute. A separate table for the same reason.
create table directory.credential_use (
  tenant_id uuid not null,
  credential_id uuid not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, credential_id),
  foreign key (tenant_id, credential_id) references directory.credential (tenant_id, id)
);

-- A named set of filters of a list, which its owner keeps or shares with the users of the tenant.
create table directory.saved_view (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- The operation that the filters are of, such as listOrders.
  list text not null check (length(list) between 1 and 100),
  filters jsonb not null check (jsonb_typeof(filters) = 'array' and length(filters::text) <= 8000),
  is_shared boolean not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references directory.operator_user (tenant_id, id)
);
create index saved_view_user on directory.saved_view (tenant_id, user_id, id);
create index saved_view_shared on directory.saved_view (tenant_id, id) where is_shared;

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

-- Changes with every user, duty and policy of a tenant and with its limits, so that a process that has read them needs
-- to read only the stamp again. Random, not counted: a directory that was restored must not repeat a stamp. Contains
-- nothing but ids, so it has no tenant_id and no policy.
create table directory.access_stamp (
  subject uuid primary key,
  stamp uuid not null
);

create function directory.renew_access_stamp() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into directory.access_stamp (subject, stamp)
  values ((to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid, gen_random_uuid())
  on conflict (subject) do update set stamp = excluded.stamp;
  return null;
end $$;
-- Deferred, so that the stamp is the last row that a transaction locks.
create constraint trigger renew_access_stamp after insert or update on directory.tenant
  deferrable initially deferred for each row execute function directory.renew_access_stamp('id');
create constraint trigger renew_access_stamp after insert or update or delete on directory.operator_user
  deferrable initially deferred for each row execute function directory.renew_access_stamp('tenant_id');
create constraint trigger renew_access_stamp after insert or update or delete on directory.operator_duty
  deferrable initially deferred for each row execute function directory.renew_access_stamp('tenant_id');
create constraint trigger renew_access_stamp after insert or update or delete on directory.approval_policy
  deferrable initially deferred for each row execute function directory.renew_access_stamp('tenant_id');

-- Each presents one row: it sets the id, which makes the row visible, and then to whom the row belongs. They run as the
-- caller, to whom the policies below show just that row.
create function directory.present_credential(id uuid) returns void
  language plpgsql
as $$
begin
  perform set_config('app.client_id', id::text, true);
  perform set_config('app.presented_tenant_id', presented.tenant_id::text, true)
  from directory.credential presented where presented.id = present_credential.id;
end $$;
create function directory.present_invitation(id uuid) returns void
  language plpgsql
as $$
begin
  perform set_config('app.invitation_id', id::text, true);
  perform set_config('app.presented_tenant_id', presented.tenant_id::text, true),
          set_config('app.presented_user_id', presented.user_id::text, true)
  from directory.invitation presented where presented.id = present_invitation.id;
end $$;

-- The presented token or session with the stamp of its tenant, in one statement without a transaction around it.
create function directory.find_token(presented_id uuid)
  returns table (
    tenant_id uuid, user_id uuid, pepper_id text, mac bytea, expires_at timestamptz, last_used_at timestamptz,
    revoked_at timestamptz, stamp uuid
  )
  language plpgsql
as $$
begin
  perform set_config('app.token_id', presented_id::text, true);
  return query
    select token.tenant_id, token.user_id, token.pepper_id, token.mac, token.expires_at, token.last_used_at,
           token.revoked_at, access_stamp.stamp
    from directory.personal_token token
    join directory.access_stamp on access_stamp.subject = token.tenant_id
    where token.id = presented_id;
end $$;
create function directory.find_session(presented_id uuid)
  returns table (
    tenant_id uuid, user_id uuid, pepper_id text, mac bytea, expires_at timestamptz, last_seen_at timestamptz,
    revoked_at timestamptz, stamp uuid, created_at timestamptz, stepped_up_at timestamptz, is_break_glass boolean
  )
  language plpgsql
as $$
begin
  perform set_config('app.session_id', presented_id::text, true);
  return query
    select session.tenant_id, session.user_id, session.pepper_id, session.mac, session.expires_at,
           session.last_seen_at, session.revoked_at, access_stamp.stamp, session.created_at, session.stepped_up_at,
           session.is_break_glass
    from directory.operator_session session
    join directory.access_stamp on access_stamp.subject = session.tenant_id
    where session.id = presented_id;
end $$;

-- The tenants of the person who is signing in. In PL/pgSQL, which PostgreSQL does not copy into the policy.
create function directory.tenant_ids_of_person() returns uuid[]
  language plpgsql stable parallel safe
as $$
begin
  return array(
    select operator_user.tenant_id from directory.operator_user
    where operator_user.identity_id = directory.current_identity_id() and operator_user.removed_at is null
  );
end $$;

alter table directory.tenant enable row level security, force row level security;
create policy of_tenant on directory.tenant
  using (
    id = base.current_tenant_id()
    or id = directory.presented_tenant_id()
    or (directory.current_identity_id() is not null and id = any (directory.tenant_ids_of_person()))
  )
  with check (id = base.current_tenant_id());

alter table directory.operator_identity enable row level security, force row level security;
create policy of_person on directory.operator_identity
  using (
    id = directory.current_identity_id()
    or id in (select operator_user.identity_id from directory.operator_user)
  )
  with check (id = directory.current_identity_id());

alter table directory.passkey enable row level security, force row level security;
create policy of_person on directory.passkey using (identity_id = directory.current_identity_id());

alter table directory.device_authorization enable row level security, force row level security;
-- Expired rows only so that they can be deleted.
create policy of_code on directory.device_authorization
  using (id = directory.current_device_id() or expires_at < now())
  with check (id = directory.current_device_id());

alter table directory.used_challenge enable row level security, force row level security;
create policy of_person on directory.used_challenge using (identity_id = directory.current_identity_id());

alter table directory.operator_user enable row level security, force row level security;
create policy of_tenant on directory.operator_user
  using (
    tenant_id = base.current_tenant_id()
    or identity_id = directory.current_identity_id()
    or (tenant_id = directory.presented_tenant_id() and id = directory.presented_user_id())
  )
  with check (tenant_id = base.current_tenant_id());

alter table directory.operator_duty enable row level security, force row level security;
create policy of_tenant on directory.operator_duty
  using (tenant_id = base.current_tenant_id());

alter table directory.forbidden_duty_pair enable row level security, force row level security;
create policy of_tenant on directory.forbidden_duty_pair using (tenant_id = base.current_tenant_id());

alter table directory.approval_policy enable row level security, force row level security;
create policy of_tenant on directory.approval_policy
  using (tenant_id = base.current_tenant_id());

alter table directory.invitation enable row level security, force row level security;
create policy of_tenant on directory.invitation
  using (tenant_id = base.current_tenant_id() or id = directory.current_invitation_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.operator_session enable row level security, force row level security;
create policy of_tenant on directory.operator_session
  using (tenant_id = base.current_tenant_id() or id = directory.current_session_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.personal_token enable row level security, force row level security;
create policy of_tenant on directory.personal_token
  using (tenant_id = base.current_tenant_id() or id = directory.current_token_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.saved_view enable row level security, force row level security;
create policy of_tenant on directory.saved_view using (tenant_id = base.current_tenant_id());

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

alter table directory.credential_use enable row level security, force row level security;
create policy of_tenant on directory.credential_use
  using (tenant_id = base.current_tenant_id() or credential_id = directory.current_client_id())
  with check (tenant_id = base.current_tenant_id());

alter table directory.payment_provider enable row level security, force row level security;
create policy of_tenant on directory.payment_provider
  using (tenant_id = base.current_tenant_id() or id = directory.current_provider_id())
  with check (tenant_id = base.current_tenant_id());

grant select, insert, update on
  directory.tenant, directory.operator_identity, directory.operator_user, directory.operator_session,
  directory.personal_token, directory.credential, directory.credential_secret, directory.failed_authentication,
  directory.credential_use
  to investor_token_app;
grant select, insert, update, delete on
  directory.device_authorization, directory.operator_duty, directory.passkey, directory.used_challenge,
  directory.forbidden_duty_pair, directory.approval_policy, directory.saved_view
  to investor_token_app;
grant select, insert, update on directory.invitation to investor_token_app;
grant select, insert on directory.payment_provider to investor_token_app;
grant select on directory.cache_invalidation, directory.access_stamp, directory.migration to investor_token_app;

-- Secrets of proposed requests, and when people proved to an identity provider who they are.
--
-- Secrets of proposed requests, such as the signing secret of a payment provider, are stored apart from what people read.
-- The directory has no data keys, so its proposals have none; the table is the same in all databases.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- The body with its secrets, encrypted with the tenant's data key. Only the transaction that confirms reads it.
alter table base.approval add column if not exists secrets bytea;

-- Deletes the secrets when the decision is stored, even by a process of the previous release.
create or replace function base.delete_decided_secrets() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.secrets := null;
  return new;
end $$;
create or replace trigger delete_decided_secrets before update on base.approval
  for each row when (new.state <> 'pending' or new.expires_at <= now())
  execute function base.delete_decided_secrets();

-- Time at which the person proved who they are: earlier than the session if their provider remembered them. Null in
-- sessions of an earlier release.
alter table directory.operator_session add column if not exists authenticated_at timestamptz;

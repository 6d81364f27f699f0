-- Applied to every database, before the directory's and the cell's own migrations.

-- The two roles that the processes take. They own nothing and cannot log in: a deployment grants them to its logins.
-- Roles belong to the whole server, so another database of it may have made them already.
do $$ begin create role investor_token_app nologin; exception when duplicate_object or unique_violation then null; end $$;
do $$ begin create role investor_token_worker nologin; exception when duplicate_object or unique_violation then null; end $$;

grant usage on schema base to investor_token_app;

-- The tenant whose rows this transaction may see, or null. PostgreSQL leaves an empty string behind when a
-- transaction-local setting ends, hence the nullif.
create function base.current_tenant_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;

-- The application role's only door to the job queue: it can add work for the tenant of its transaction and can
-- neither read nor change what others have queued. The job commits with the rows that ask for it.
create function base.enqueue_job(task text, payload json, job_key text default null, run_at timestamptz default null)
  returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if (payload ->> 'tenant_id')::uuid is distinct from base.current_tenant_id() then
    raise exception 'a job carries the tenant_id of the transaction that adds it' using errcode = 'insufficient_privilege';
  end if;
  perform graphile_worker.add_job(
    identifier => enqueue_job.task, payload => enqueue_job.payload, job_key => enqueue_job.job_key, run_at => enqueue_job.run_at,
    max_attempts => 25
  );
end $$;

revoke all on function base.enqueue_job(text, json, text, timestamptz) from public;
grant execute on function base.enqueue_job(text, json, text, timestamptz) to investor_token_app;

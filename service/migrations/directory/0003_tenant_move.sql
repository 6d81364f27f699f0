-- The move of a tenant to another cell, from its start until the rows that it leaves behind are deleted. Each step of
-- `maintain move-tenant` is stored before it begins, so that the command continues after it was killed. Only the owner
-- has access.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

create table directory.tenant_move (
  tenant_id uuid primary key references directory.tenant (id),
  -- A move back exchanges the two.
  from_cell text not null,
  to_cell text not null,
  -- The epoch of the tenant in from_cell. In to_cell it is one more.
  epoch bigint not null check (epoch > 0),
  -- copying: the tenant is in from_cell, and its rows are replicated to to_cell.
  -- switching: writes wait; if the command was killed here, no cell serves the tenant until it runs again.
  -- switched: the tenant is in to_cell; what remains is to verify it and to replicate back.
  -- moved: complete; changes are replicated back to from_cell, so that the tenant can return.
  -- finishing: the rows in the cell that the tenant is not in are being deleted.
  step text not null default 'copying' check (step in ('copying', 'switching', 'switched', 'moved', 'finishing')),
  -- Position in the log of to_cell from which on from_cell lacks the changes.
  switched_lsn pg_lsn,
  -- The jobs that were copied to the queue of to_cell and are deleted from that of from_cell.
  copied_jobs bigint[] not null default '{}',
  started_at timestamptz not null default clock_timestamp(),
  switched_at timestamptz,
  constraint tenant_move_cells check (from_cell <> to_cell)
);

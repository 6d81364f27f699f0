-- Tokens that enforce the lock-up of their offering themselves.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- False for attached tokens, and for those of earlier versions.
alter table cell.offering add column if not exists token_enforces_lock_up boolean not null default false;

alter table cell.chain_op drop constraint if exists chain_op_kind_check;
-- A mint has up to a hundred orders, so there are few rows to scan.
-- squawk-ignore constraint-missing-not-valid
alter table cell.chain_op add constraint chain_op_kind_check check (
  kind in (
    'DEPLOY_FACTORY', 'DEPLOY_DESK', 'DEPLOY_TOKEN', 'GRANT_ROLE', 'REGISTER_WALLETS', 'UNREGISTER_WALLETS', 'MINT',
    'FREEZE', 'FORCED_TRANSFER', 'BURN', 'PAUSE', 'UNPAUSE', 'SET_CAP', 'SET_LOCK_UP'
  )
);

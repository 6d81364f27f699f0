-- Records whether the payee of a refund may have its money, and which bank entries move money that was sent before.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

-- Time at which its last transfer was sent. Null for refunds that were sent before this column existed: they count as
-- sent if their status or a downloaded payout says so.
alter table cell.refund add column if not exists sent_at timestamptz;
-- Time at which a bank entry said that the last transfer came back; null while none has.
alter table cell.refund add column if not exists returned_at timestamptz;

-- The entry settles or returns a transfer, or takes a payment back. Null for entries that were imported before this
-- column existed: they count as if they did.
alter table cell.bank_entry add column if not exists concerns_transfer boolean;

-- Approval status for which two persons released the entitlement, which files otherwise leave out because the account
-- is not approved. Any other status voids the release.
alter table cell.entitlement add column if not exists released_status text;
grant update (released_status) on cell.entitlement to investor_token_app;

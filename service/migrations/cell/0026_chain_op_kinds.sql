-- A new kind of chain op needs no migration: the API and the workers, the only writers, take kinds from one typed list.
set local lock_timeout = '2s';
set local statement_timeout = '1min';

alter table cell.chain_op drop constraint if exists chain_op_kind_check;

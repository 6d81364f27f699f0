-- What somebody has done about an entry that wanted attention, so that the list of those that still do gets shorter.
alter table cell.bank_statement
  add column handled_count integer not null default 0,
  drop constraint bank_statement_counts,
  add constraint bank_statement_counts check (
    booked_count + unassigned_count + refund_settled_count + refund_failed_count + other_count + attention_count
      + handled_count <= entry_count
  );

alter table cell.bank_entry
  add column handling text check (length(handling) between 1 and 500),
  drop constraint bank_entry_state_check,
  add constraint bank_entry_state_check check (
    state in ('waiting', 'booked', 'unassigned', 'refund_settled', 'refund_failed', 'other', 'attention', 'handled')
  ),
  drop constraint bank_entry_attention,
  add constraint bank_entry_attention check (
    (state in ('attention', 'handled')) = (note is not null) and (state = 'handled') = (handling is not null)
  );
grant update (handling) on cell.bank_entry to investor_token_app;

import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const statementErrors = declareErrors({
  statement_entry_not_resolvable: {
    status: 409,
    cause: 'The entry does not need attention, so there is nothing to resolve.',
    remedy: 'Read the entry to see its state. Only entries in `needs_attention` can be resolved.',
  },
  statement_gap_not_resolvable: {
    status: 409,
    cause: 'The statement begins with the closing balance of the one before it, so there is no gap to resolve.',
    remedy: 'Read the statement to see its continuity. Only a `gap` can be resolved.',
  },
  statement_file_missing: {
    status: 409,
    cause:
      'The file of the statement is larger than 32 MiB, or the data of an investor in it was erased. It was not kept.',
    remedy: 'Get the file from the bank again.',
  },
  statement_not_waiting: {
    status: 409,
    cause: 'The statement does not wait for booking: its entries have had their effects.',
    remedy: 'Read the statement. Correct what was booked by mistake payment by payment.',
  },
  statement_unreadable: {
    status: 400,
    cause: 'The file is truncated, malformed, not UTF-8, or exceeds a limit. The message has the line and the problem.',
    remedy: 'Export the complete statement again, in UTF-8. Nothing was imported.',
  },
  statement_format_unsupported: {
    status: 400,
    cause: 'The file is in no supported format, or lacks a part that a statement needs.',
    remedy:
      'Export the booked statement of the day in a supported format, such as camt.053 version 001.02 or newer. ' +
      'Nothing was imported.',
  },
  statement_unbalanced: {
    status: 400,
    cause:
      'The entries do not add up to the closing balance, or the transactions of a batch do not add up to its amount.',
    remedy: 'Get the complete, unaltered statement from the bank again. Nothing was imported.',
  },
  statement_currency_mismatch: {
    status: 400,
    cause:
      'An entry or a balance is in another currency than the account, or the account is in another currency than ' +
      'your offerings.',
    remedy: 'Get the statement in the currency of the account. Nothing was imported.',
  },
  statement_account_unknown: {
    status: 409,
    cause: 'The statement is for an account that is not the collection account of any of your offerings.',
    remedy: 'Check the tenant and the file, and the collection_account of your offerings. Nothing was imported.',
  },
  statement_import_busy: {
    status: 409,
    cause: 'Another statement of your tenant is still being imported.',
    remedy: 'Send the file again when GET /statements lists the other statement.',
  },
})

import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const statementErrors = declareErrors({
  statement_entry_not_in_attention: {
    status: 409,
    type: 'conflict_error',
    cause: 'The entry is not one that somebody has to look at.',
    remedy: 'Read it again to see what became of it. Only entries in `attention` can be dealt with.',
  },
  statement_unreadable: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The file is no XML that is read here: cut off, in another character set, with a DOCTYPE, or out of bounds.',
    remedy: 'The message says where and what. Have the bank export the statement again, in UTF-8. Nothing was kept.',
  },
  statement_format_unsupported: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The file is XML, but no complete bank statement in camt.053.',
    remedy: 'Export the booked statement of the day as camt.053, version 001.02 or newer. Nothing was kept.',
  },
  statement_unbalanced: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'The amounts of the statement do not add up: to its closing balance, or those of a batch to their entry.',
    remedy: 'Something is missing or was changed. Get the statement from the bank again. Nothing was kept.',
  },
  statement_currency_mismatch: {
    status: 400,
    type: 'invalid_request_error',
    cause: 'An entry or a balance is in another currency than the account, or the account than your offerings.',
    remedy: 'Ask the bank for the statement in the currency of the account. Nothing was kept.',
  },
  statement_account_unknown: {
    status: 409,
    type: 'conflict_error',
    cause: 'The statement is of an account that no offering of yours collects money on.',
    remedy: 'Check the tenant and the file; the collection_account of an offering says where buyers pay to.',
  },
  statement_import_busy: {
    status: 409,
    type: 'conflict_error',
    cause: 'Another statement of your tenant is being read and takes long.',
    remedy: 'Send it again when GET /statements shows the other one.',
  },
})

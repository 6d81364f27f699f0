import type { ApiCommand } from './api-command.ts'

export const transferCommands = {
  createTransfer: {
    noun: 'transfers',
    verb: 'create',
    examples: [
      'transfers create --offering "$OFFERING" --sender-wallet "$WALLET" --receiver-wallet "$OTHER_WALLET" --tokens 1 --reason gift',
    ],
  },
  listTransfers: {
    noun: 'transfers',
    verb: 'list',
    rows: 'transfers',
    columns: [
      ['ID', 'id'],
      ['STATUS', 'status'],
      ['REASON', 'reason'],
      ['UNITS', 'units'],
      ['FROM', 'sender_account_id'],
      ['TO', 'receiver_account_id'],
    ],
    examples: ['transfers list --status READY'],
  },
  getTransfer: {
    noun: 'transfers',
    verb: 'get',
    subject: 'transferId',
    examples: ['transfers get "$TRANSFER"'],
  },
  cancelTransfer: {
    noun: 'transfers',
    verb: 'cancel',
    subject: 'transferId',
    examples: ['transfers cancel "$TRANSFER"'],
  },
} as const satisfies Record<string, ApiCommand>

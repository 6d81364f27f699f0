import { Type } from 'typebox'
import { Named, orNull, SomeUnits, Text, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'
import { transferBlockerCodes } from './transfer-blockers.ts'
import { transferReasons, transferStatuses } from './transfer-status.ts'

export const TransferPath = Type.Object({ transferId: Uuid('The transfer.') })

const Reason = Type.Enum(transferReasons, {
  description:
    'Why the units change hands. `change_of_wallet` and `lost_keys` are between two wallets of one account, the ' +
    'others between two accounts. For `inheritance` and `lost_keys` the sender cannot sign: two operators move the ' +
    'units.',
})

export const NewTransferRequest = Named('NewTransferRequest', {
  offering_id: Uuid('The offering whose units are transferred.', 'The offering.'),
  sender_wallet_id: Uuid('The wallet that has the units.'),
  receiver_wallet_id: Uuid('The wallet that gets the units.'),
  units: SomeUnits('The amount to transfer, in the smallest token unit.', '1000000000'),
  reason: Reason,
})

const members = {
  id: Uuid('The transfer.'),
  offering_id: Uuid('The offering.'),
  sender_account_id: Uuid('The account that has the units.'),
  sender_wallet_id: Uuid('The wallet that has the units.'),
  receiver_account_id: Uuid('The account that gets the units.'),
  receiver_wallet_id: Uuid('The wallet that gets the units.'),
  units: Units('The amount to transfer, in the smallest token unit.'),
  reason: Reason,
  status: Type.Enum(transferStatuses, {
    description:
      '`REQUESTED` until an operator approves it, `APPROVED` while the receiver is registered with the token, then ' +
      '`READY`: the sender can send. `SENT`: in a block that is not finalized; a reorg makes it `READY` again. ' +
      '`DONE`: in a finalized block.',
  }),
  rejection: orNull(Type.String({ description: 'Why an operator rejected it.' }), { examples: [null] }),
  transaction_hash: orNull(Type.String({ description: 'The transaction that moved the units.' }), {
    examples: [null],
  }),
  created_at: Timestamp('When it was requested.'),
  approved_at: orNull(Timestamp('When an operator approved it.'), { examples: [null] }),
  ready_at: orNull(Timestamp('When the sender could send.'), { examples: [null] }),
  closed_at: orNull(Timestamp('When it was done, cancelled or rejected.'), { examples: [null] }),
}

export const TransferSummary = Named('TransferRequestSummary', members)

const TransferBlocker = Named('TransferRequestBlocker', {
  code: Type.Enum(transferBlockerCodes),
  message: Type.String({ examples: ['No operator has approved the transfer.'] }),
  remedy: Type.String({ examples: ['Approve or reject it once nothing else blocks it.'] }),
})

const blockers = Type.Array(TransferBlocker, {
  description: 'What keeps the transfer from advancing, and what clears it.',
})

export const Transfer = Named('TransferRequest', { ...members, blockers })

export const TransferPage = Named('TransferRequestPage', {
  transfers: Type.Array(TransferSummary),
  next: orNull(Type.String({ description: 'URL of the next page, or null on the last one.' }), { examples: [null] }),
})

const operatorMembers = {
  ...members,
  offering_name: Type.String({ description: 'The name of the offering.', examples: ['Harbour Bond'] }),
  decimals: Type.Integer({ minimum: 0, maximum: 18, description: 'Of the token.', examples: [8] }),
  sender_name: Type.String({ description: 'Who has the units.', examples: ['Ada Lovelace'] }),
  receiver_name: Type.String({ description: 'Who gets the units.', examples: ['Grace Hopper'] }),
  chain_op_id: orNull(Uuid('The chain op of the forced transfer.'), { examples: [null] }),
}

export const OperatorTransferSummary = Named('OperatorTransferRequestSummary', operatorMembers)

export const OperatorTransfer = Named('OperatorTransferRequest', { ...operatorMembers, blockers })

export const TransferRejection = Named('TransferRejection', {
  reason: Text(1, 500, {
    description: 'Why, for the integrator and the audit log. Must not contain personal data.',
    examples: ['The contract of sale is missing.'],
  }),
})

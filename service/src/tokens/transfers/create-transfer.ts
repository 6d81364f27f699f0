import type { Static } from 'typebox'
import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError, type Failure, validationFailed } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { accountErrors } from '../../sales/accounts/account.errors.ts'
import { requireNotErased } from '../../sales/accounts/require-not-erased.ts'
import { findVisibleOffering } from '../../sales/offerings/offering.sql.ts'
import { recordTransferEvents } from './record-transfer-event.ts'
import { requireTransfer } from './require-transfer.ts'
import { NewTransferRequest, Transfer } from './transfer.schema.ts'
import { insertTransfer } from './transfer.sql.ts'
import { viewTransfer } from './transfer.view.ts'
import { isWithinAccount } from './transfer-status.ts'
import { selectTransferWallets, type TransferWallet } from './transfer-wallet.sql.ts'

export const createTransfer = operation(
  {
    id: 'createTransfer',
    summary: 'Request a transfer of units',
    description:
      'Requests that units move from one wallet to another. An operator approves it; then the wallet of the receiver ' +
      'is registered with the token, the transfer is `READY`, and the sender sends exactly `units` to the address of ' +
      'the receiver. `blockers` says what is missing, such as the KYC approval of the receiver or the end of ' +
      'lock-up. Without an idempotency key, sending the request again creates a second transfer.',
    tag: 'Transfers',
    method: 'POST',
    path: '/transfers',
    scopes: ['order.create'],
    idempotency: 'optional',
    body: NewTransferRequest,
    success: { status: 201, body: Transfer, location: ({ id }: { id: string }) => `/transfers/${id}` },
    errors: [requestErrors.not_found, accountErrors.account_erased],
    isExtension: true,
  },
  async ({ body }, context) => {
    const { tenantId, tx, now } = context
    const [offering, wallets] = await tx.batch(
      (tx) => findVisibleOffering(tx, { tenantId, offeringId: body.offering_id }),
      (tx) => selectTransferWallets(tx, tenantId, [body.sender_wallet_id, body.receiver_wallet_id]),
    )
    if (!offering) throw new ApiError(requestErrors.not_found, 'Offering not found.')
    const walletOf = (id: string) => wallets.find((wallet) => wallet.id === id)
    const [sender, receiver] = [walletOf(body.sender_wallet_id), walletOf(body.receiver_wallet_id)]
    if (!sender || !receiver)
      throw new ApiError(
        requestErrors.not_found,
        `There is no wallet with this ${sender ? 'receiver' : 'sender'}_wallet_id.`,
      )
    const failures = failuresOf(body, offering.blockchain, { sender, receiver })
    if (failures.length > 0) throw validationFailed(failures)
    requireNotErased(receiver)

    const id = newRowId()
    await insertTransfer(tx, tenantId, {
      id,
      offeringId: body.offering_id,
      senderAccountId: sender.accountId,
      senderWalletId: sender.id,
      receiverAccountId: receiver.accountId,
      receiverWalletId: receiver.id,
      units: body.units,
      reason: body.reason,
      createdAt: now,
    })
    const row = await requireTransfer(tx, { tenantId, transferId: id })
    await recordTransferEvents(tx, tenantId, 'transfer.created', [row])
    return viewTransfer(context, row)
  },
)

function failuresOf(
  { reason }: Static<typeof NewTransferRequest>,
  blockchain: string,
  { sender, receiver }: { sender: TransferWallet; receiver: TransferWallet },
): Failure[] {
  const fail = (member: string, what: string): Failure => ({
    detail: `The member ${member} ${what}.`,
    pointer: `/${member}`,
  })
  const failures: Failure[] = []
  if (sender.id === receiver.id) failures.push(fail('receiver_wallet_id', 'must differ from sender_wallet_id'))
  if (sender.blockchain !== blockchain) failures.push(fail('sender_wallet_id', `must be a wallet on ${blockchain}`))
  if (receiver.blockchain !== blockchain) failures.push(fail('receiver_wallet_id', `must be a wallet on ${blockchain}`))
  if ((sender.accountId === receiver.accountId) !== isWithinAccount(reason))
    failures.push(
      fail('reason', isWithinAccount(reason) ? 'needs two wallets of one account' : 'needs wallets of two accounts'),
    )
  return failures
}

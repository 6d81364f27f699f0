import type { Static } from 'typebox'
import type { Hex } from 'viem'
import { operation, type TenantContext } from '../platform/api/declare/operation.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { insertRegistration, lockRegistration } from '../tokens/allow-list/registration.sql.ts'
import { getTransfer } from '../tokens/transfers/get-transfer.ts'
import { approveTransfer } from '../tokens/transfers/operator/approve-transfer.ts'
import { forceTransfer } from '../tokens/transfers/operator/force-transfer.ts'
import { markTransfersReady } from '../tokens/transfers/register-receiver.ts'
import {
  requireLockedTransfer,
  requirePreconditions,
  requireTransferStatus,
} from '../tokens/transfers/require-transfer.ts'
import { transferErrors } from '../tokens/transfers/transfer.errors.ts'
import { Transfer, TransferPath } from '../tokens/transfers/transfer.schema.ts'
import type { TokenTransferRow } from '../tokens/transfers/transfer.sql.ts'
import { isForced } from '../tokens/transfers/transfer-status.ts'
import { perform } from './perform.ts'
import { requireDeployedToken } from './require-token.ts'
import { simulatedWalletContext } from './simulate-wallet.ts'
import { simulationErrors } from './simulation.errors.ts'
import { findTransferringWallet } from './simulation.sql.ts'
import { simulationHeader } from './simulation-header.ts'
import { setHolderRegistered } from './simulation-of-holders.sql.ts'
import { requireTestChain, type TestChains } from './test-chains.ts'

export const simulateTransferRequest = (chains: TestChains) =>
  operation(
    {
      id: 'simulateTransferRequest',
      summary: 'Complete a requested transfer',
      description:
        'An operator approves the transfer, the wallet of the receiver is registered with the token, and the sender ' +
        'sends the units on the chain: within some blocks the transfer is `SENT` and then `DONE`. If the wallet of ' +
        'the sender is not a simulated one, the transfer stays `READY`: send the units from that wallet. For an ' +
        'inheritance or lost keys, two operators move the units instead. Development only.',
      ...simulationHeader,
      path: '/simulations/transfers/:transferId/completion',
      idempotency: 'optional',
      params: TransferPath,
      success: { status: 200, body: Transfer },
      errors: [
        requestErrors.not_found,
        transferErrors.transfer_not_in_state,
        transferErrors.transfer_blocked,
        simulationErrors.simulation_not_possible,
      ],
    },
    async ({ params }, context) => {
      const { tenantId, tx, now } = context
      const transfer = await requireLockedTransfer(tx, { tenantId, ...params })
      requireTransferStatus(transfer, ['REQUESTED', 'APPROVED', 'READY'], 'completed')
      // Checked before anything happens on the chain, which cannot be rolled back.
      await requirePreconditions(tx, tenantId, transfer, now)
      await registerReceiver(chains, context, transfer)
      await perform(approveTransfer, { params }, context)
      if (isForced(transfer.reason)) await perform(forceTransfer, { params }, context)
      else await send(chains, context, transfer)
      return perform<Static<typeof Transfer>>(getTransfer, { params }, context)
    },
  )

/** Registers the wallet on the chain now, instead of by a chain op that is final some blocks later. */
async function registerReceiver(
  chains: TestChains,
  { tenantId, tx, now }: TenantContext,
  { offeringId, receiverAccountId, receiverWalletId }: TokenTransferRow,
): Promise<void> {
  const { chain, token, desk } = await requireDeployedToken(tx, { tenantId, offeringId })
  const receiver = await findTransferringWallet(tx, { tenantId, walletId: receiverWalletId })
  if (!receiver) throw new Error('the wallet of the receiver was not found')
  await requireTestChain(chains, chain).register(token, desk, receiver.publicAddress)
  const holder = { offeringId, walletId: receiverWalletId }
  await insertRegistration(tx, tenantId, { ...holder, accountId: receiverAccountId })
  await lockRegistration(tx, tenantId, holder)
  await setHolderRegistered(tx, tenantId, holder)
  await markTransfersReady(tx, tenantId, [holder], now)
}

/**
 * Sends the units, if a simulation created the wallet of the sender: the service does not have the private key of
 * others.
 */
async function send(
  chains: TestChains,
  { tenantId, tx, vault }: TenantContext,
  { offeringId, senderWalletId, receiverWalletId, units }: TokenTransferRow,
): Promise<void> {
  const { chain, token } = await requireDeployedToken(tx, { tenantId, offeringId })
  const [sender, receiver] = await tx.batch(
    (tx) => findTransferringWallet(tx, { tenantId, walletId: senderWalletId }),
    (tx) => findTransferringWallet(tx, { tenantId, walletId: receiverWalletId }),
  )
  if (!sender?.privateKey || !receiver) return
  const key = await vault.open(sender.privateKey, simulatedWalletContext(senderWalletId))
  await requireTestChain(chains, chain).transfer(token, key as Hex, receiver.publicAddress, BigInt(units))
}

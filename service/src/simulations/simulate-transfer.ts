import type { Hex } from 'viem'
import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { requireDeployedToken } from './require-token.ts'
import { simulatedWalletContext } from './simulate-wallet.ts'
import { simulationErrors } from './simulation.errors.ts'
import { SimulatedTransfer, TransferSimulation } from './simulation.schema.ts'
import { findTransferringWallet } from './simulation.sql.ts'
import { simulationHeader } from './simulation-header.ts'
import { requireTestChain, type TestChains } from './test-chains.ts'

export const simulateTransfer = (chains: TestChains) =>
  operation(
    {
      id: 'simulateTransfer',
      summary: 'Transfer tokens between investors',
      description:
        'An investor sends tokens from a simulated wallet directly on the chain. The transfer appears as `SEND` and ' +
        '`RECEIVE`, or as `TRANSFER` within one account, first `pending` and then `confirmed`. Development only.',
      ...simulationHeader,
      path: '/simulations/transfers',
      idempotency: 'optional',
      body: TransferSimulation,
      success: { status: 201, body: SimulatedTransfer },
      errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
    },
    async ({ body }, { tenantId, tx, vault }) => {
      const { chain, token, desk } = await requireDeployedToken(tx, { tenantId, offeringId: body.offering_id })
      const [from, to] = await tx.batch(
        (tx) => findTransferringWallet(tx, { tenantId, walletId: body.from_wallet_id }),
        (tx) => findTransferringWallet(tx, { tenantId, walletId: body.to_wallet_id }),
      )
      if (!from || !to) throw new ApiError(requestErrors.not_found, 'The wallet does not exist.')
      if (!from.privateKey)
        throw new ApiError(
          simulationErrors.simulation_not_possible,
          'from_wallet_id must be a simulated wallet: the service does not have the private key of others.',
        )
      if (from.blockchain !== chain || to.blockchain !== chain)
        throw new ApiError(
          simulationErrors.simulation_not_possible,
          `from_wallet_id and to_wallet_id must be on ${chain}, the chain of the offering.`,
        )
      const key = await vault.open(from.privateKey, simulatedWalletContext(body.from_wallet_id))
      const testChain = requireTestChain(chains, chain)
      await testChain.register(token, desk, to.publicAddress)
      return { transaction_hash: await testChain.transfer(token, key as Hex, to.publicAddress, BigInt(body.units)) }
    },
  )

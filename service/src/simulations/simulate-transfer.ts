import type { Hex } from 'viem'
import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { chainOf, type Lab } from './lab.ts'
import { requireDeployedToken } from './require-token.ts'
import { simulationErrors } from './simulation.errors.ts'
import { SimulatedTransfer, TransferSimulation } from './simulation.schema.ts'
import { findTransferringWallet } from './simulation.sql.ts'
import { simulationScopes, simulationTag } from './simulation-header.ts'

export const simulateTransfer = (lab: Lab) =>
  operation(
    {
      id: 'simulateTransfer',
      summary: 'Transfer tokens between investors',
      description:
        'An investor sends tokens from a simulated wallet, on the chain and without asking us: it appears as `SEND` ' +
        'and `RECEIVE`, or as `TRANSFER` within one account, first `pending` and then `confirmed`. Development only.',
      tag: simulationTag,
      method: 'POST',
      path: '/simulations/transfers',
      scopes: simulationScopes,
      idempotency: 'optional',
      body: TransferSimulation,
      success: { status: 201, body: SimulatedTransfer },
      errors: [requestErrors.not_found, simulationErrors.simulation_not_possible],
      isExtension: true,
    },
    async ({ body }, { tenantId, tx, vault }) => {
      const { chain, token, desk } = await requireDeployedToken(tx, { tenantId, offeringId: body.offering_id })
      const [from, to] = await Promise.all(
        [body.from_wallet_id, body.to_wallet_id].map((walletId) => findTransferringWallet(tx, { tenantId, walletId })),
      )
      if (!from || !to) throw new ApiError(requestErrors.not_found, 'There is no such wallet.')
      if (!from.sealedKey)
        throw new ApiError(
          simulationErrors.simulation_not_possible,
          'The key of from_wallet_id is its owner’s: use a simulated wallet.',
        )
      if (from.blockchain !== chain || to.blockchain !== chain)
        throw new ApiError(
          simulationErrors.simulation_not_possible,
          `Both wallets must be on ${chain}, where the tokens are.`,
        )
      const key = await vault.open(from.sealedKey, `simulated wallet ${body.from_wallet_id}`)
      const lively = chainOf(lab, chain)
      await lively.register(token, desk, to.publicAddress)
      return { transaction_hash: await lively.transfer(token, key as Hex, to.publicAddress, BigInt(body.units)) }
    },
  )

import type { Static } from 'typebox'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { operation } from '../platform/api/declare/operation.ts'
import { ApiError } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import { AccountPath } from '../sales/accounts/account.schema.ts'
import { proveWallet } from '../sales/wallets/prove-wallet.ts'
import { registerWallet } from '../sales/wallets/register-wallet.ts'
import { walletErrors } from '../sales/wallets/wallet.errors.ts'
import { Wallet, type WalletChallenge } from '../sales/wallets/wallet.schema.ts'
import { findToken } from '../tokens/token-actions/token-action.sql.ts'
import { perform } from './perform.ts'
import { WalletSimulation } from './simulation.schema.ts'
import { insertSimulatedWallet } from './simulation.sql.ts'
import { simulationHeader } from './simulation-header.ts'

const developmentChain = 'anvil'

/** Binds an encrypted private key to its wallet. */
export function simulatedWalletContext(walletId: string): string {
  return `simulated wallet ${walletId}`
}

export const simulateWallet = operation(
  {
    id: 'simulateWallet',
    summary: 'Create a wallet for an account',
    description:
      'Generates a private key, registers its address and proves ownership like an investor. The wallet is `ACTIVE`, ' +
      'and simulated transfers can send tokens from it. Development only.',
    ...simulationHeader,
    path: '/simulations/accounts/:accountId/wallets',
    idempotency: 'optional',
    params: AccountPath,
    body: WalletSimulation,
    success: { status: 201, body: Wallet },
    errors: [requestErrors.not_found, walletErrors.too_many_pending_wallets],
  },
  async ({ params, body }, context) => {
    const { tenantId, tx, vault } = context
    const offeringId = body.offering_id
    const found = offeringId === undefined ? undefined : await findToken(tx, { tenantId, offeringId })
    if (offeringId !== undefined && !found) throw new ApiError(requestErrors.not_found, 'The offering does not exist.')
    const key = generatePrivateKey()
    const owner = privateKeyToAccount(key)
    const wallet = {
      public_address: owner.address,
      blockchain: found?.chain ?? developmentChain,
      name: 'Simulated wallet',
      provider: 'METAMASK',
      type: 'BROWSER_WALLET',
    }
    const registered = { params, body: wallet }
    const { id: walletId, challenge } = await perform<Static<typeof WalletChallenge>>(
      registerWallet,
      registered,
      context,
    )
    if (challenge === null) throw new Error('a simulated wallet needs a challenge')
    const signature = await owner.signMessage({ message: challenge })
    const proof = { params: { ...params, walletId }, body: { message: challenge, signature } }
    const proven = await perform<Static<typeof Wallet>>(proveWallet, proof, context)
    const privateKey = await vault.seal(key, simulatedWalletContext(walletId))
    await insertSimulatedWallet(tx, { tenantId, walletId, privateKey })
    return proven
  },
)

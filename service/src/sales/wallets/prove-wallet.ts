import { operation } from '../../platform/api/declare/operation.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { activateWallet } from './activate-wallet.ts'
import { walletErrors } from './wallet.errors.ts'
import { Wallet, WalletPath, WalletProof } from './wallet.schema.ts'
import { viewWallet } from './wallet.view.ts'

export const proveWallet = operation(
  {
    id: 'proveWallet',
    summary: 'Prove the ownership of a wallet',
    description:
      'Accepts the challenge that the investor signed and makes the wallet `ACTIVE`. A challenge is accepted once; a ' +
      'retry with the same idempotency key returns the same response. A contract wallet (EIP-1271, such as a Safe) ' +
      'is asked on its chain, as of the last finalized block, so it must be deployed: signatures of undeployed ' +
      'wallets (ERC-6492) are rejected.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/prove',
    scopes: ['account.update'],
    idempotency: 'optional',
    params: WalletPath,
    body: WalletProof,
    asksContractWallet: true,
    success: { status: 200, body: Wallet },
    errors: [
      requestErrors.not_found,
      walletErrors.wallet_not_provable,
      walletErrors.wallet_proof_invalid,
      walletErrors.chain_unavailable,
    ],
    isExtension: true,
  },
  async ({ params, body }, context) =>
    viewWallet(await activateWallet(context, { tenantId: context.tenantId, ...params }, body)),
)

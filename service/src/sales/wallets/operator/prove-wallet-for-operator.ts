import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { activateWallet } from '../activate-wallet.ts'
import { walletErrors } from '../wallet.errors.ts'
import { WalletPath, WalletProof } from '../wallet.schema.ts'
import { OperatorWallet } from './operator-wallet.schema.ts'
import { viewOperatorWallet } from './operator-wallet.view.ts'

export const proveWalletForOperator = operatorOperation(
  {
    id: 'proveWallet',
    summary: 'Prove the ownership of a wallet',
    description:
      'Accepts the challenge that the owner signed and makes the wallet `ACTIVE`. A challenge is accepted once; a ' +
      'retry with the same idempotency key returns the same response. A contract wallet (EIP-1271) is asked on its ' +
      'chain, as of the last finalized block.',
    tag: 'Wallets',
    method: 'POST',
    path: '/accounts/:accountId/wallets/:walletId/prove',
    duty: 'compliance',
    approval: 'never',
    idempotency: 'optional',
    params: WalletPath,
    body: WalletProof,
    asksContractWallet: true,
    success: { status: 200, body: OperatorWallet },
    errors: [
      requestErrors.not_found,
      walletErrors.wallet_not_provable,
      walletErrors.wallet_proof_invalid,
      walletErrors.chain_unavailable,
    ],
  },
  async ({ params, body }, context) =>
    viewOperatorWallet(await activateWallet(context, { tenantId: context.tenantId, ...params }, body)),
)

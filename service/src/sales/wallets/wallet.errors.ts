import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const walletErrors = declareErrors({
  wallet_already_registered: {
    status: 409,
    cause: 'Your tenant already has a wallet with this address on this chain, in this account or in another.',
    remedy: 'Use the existing wallet, or register another address.',
  },
  wallet_proof_invalid: {
    status: 409,
    cause: 'The signed message does not prove ownership of the wallet. The error message names the part that is wrong.',
    remedy: 'Have the owner sign the latest challenge unchanged, or get a new one with POST …/challenge.',
  },
  chain_unavailable: {
    status: 503,
    cause: 'No node of the chain answered, so the service could not ask a contract wallet about a signature.',
    remedy: 'Send the same proof again later; the challenge stays open until it expires.',
  },
  too_many_pending_wallets: {
    status: 409,
    cause: 'The account already has ten wallets whose owners have not proven them.',
    remedy: 'Have the owner sign one of the open challenges, or wait until they expire.',
  },
  wallet_not_provable: {
    status: 409,
    cause:
      'The wallet has no open challenge: the owner has signed it, it has expired, or the wallet is on Stellar or ' +
      'Concordium, which the service does not serve.',
    remedy: 'Read the wallet. If it is EXPIRED or INACTIVE, get a new challenge with POST …/challenge.',
  },
  wallet_not_suspendable: {
    status: 409,
    cause: 'Only an ACTIVE wallet can be suspended.',
    remedy: 'Read the wallet to see its status. A wallet that is not ACTIVE receives no tokens anyway.',
  },
  wallet_not_resumable: {
    status: 409,
    cause: 'Only a SUSPENDED wallet can be resumed.',
    remedy: 'Read the wallet to see its status. A wallet that is PENDING, EXPIRED or INACTIVE has to be proven.',
  },
  wallet_not_retirable: {
    status: 409,
    cause: 'Only an ACTIVE wallet can be retired.',
    remedy: 'Resume the wallet first if it is SUSPENDED.',
  },
  wallet_not_reopenable: {
    status: 409,
    cause:
      'The wallet is ACTIVE or SUSPENDED, so its ownership is already proven, or it is on a chain that the service ' +
      'does not serve.',
    remedy: 'Retire the wallet first if its owner has to prove it again.',
  },
})

import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const walletErrors = declareErrors({
  wallet_already_registered: {
    status: 409,
    type: 'conflict_error',
    cause: 'Your tenant already has a wallet with this address on this chain, of this account or of another.',
    remedy: 'Use the wallet that is there, or another address.',
  },
  wallet_proof_invalid: {
    status: 409,
    type: 'conflict_error',
    cause: 'The signed message does not prove that the wallet belongs to who signed it; the message says which part.',
    remedy: 'Have the last challenge signed as it is, or get a new one by POST …/challenge.',
  },
  wallet_not_provable: {
    status: 409,
    type: 'conflict_error',
    cause: 'The wallet is not PENDING, so no challenge is open: it was answered or has expired.',
    remedy: 'Read the wallet. If it is EXPIRED or INACTIVE, get a new challenge by POST …/challenge.',
  },
  wallet_not_suspendable: {
    status: 409,
    type: 'conflict_error',
    cause: 'Only an ACTIVE wallet can be suspended.',
    remedy: 'Read the wallet to see its status; in any other one it receives nothing anyway.',
  },
  wallet_not_resumable: {
    status: 409,
    type: 'conflict_error',
    cause: 'Only a SUSPENDED wallet can be resumed.',
    remedy: 'Read the wallet to see its status; one that is PENDING, EXPIRED or INACTIVE has to be proven.',
  },
  wallet_not_retirable: {
    status: 409,
    type: 'conflict_error',
    cause: 'Only an ACTIVE wallet can be retired.',
    remedy: 'Resume the wallet first if it is SUSPENDED.',
  },
  wallet_not_reopenable: {
    status: 409,
    type: 'conflict_error',
    cause: 'A wallet that is ACTIVE or SUSPENDED is proven and needs no new challenge.',
    remedy: 'Retire the wallet first if it has to be proven anew.',
  },
})

import type { ErrorEntry } from './error-entry.ts'

/** Wallets, tokens and what is sent to a chain. */
export const chainErrors = {
  chain_op_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The chain op is in a state that does not allow this.',
    remedy: 'Read the op to see how far it has come.',
  },
  chain_op_not_retryable: {
    status: 409,
    type: 'conflict_error',
    cause: 'Nothing waits for this chain op any more, or it is one that two people have to decide.',
    remedy: 'Read what the message names, or propose the action again.',
  },
  transaction_already_attached: {
    status: 409,
    type: 'conflict_error',
    cause: 'The transaction is known already, as an attempt at this chain op or at another one.',
    remedy: 'Read the op: its attempts show what is watched.',
  },
  token_not_deployed: {
    status: 409,
    type: 'conflict_error',
    cause: 'The offering has no token on its chain yet, or the tenant has no signer there.',
    remedy: 'Open the offering and wait for the deployment of its token.',
  },
  token_action_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'Somebody has decided about this action already, or nobody has in time.',
    remedy: 'Read the action; propose it again if it is still wanted.',
  },
  needs_second_administrator: {
    status: 403,
    type: 'permission_error',
    cause: 'Whoever has proposed an action on a token cannot confirm it.',
    remedy: 'Have another administrator of the tenant confirm it.',
  },
  block_not_final: {
    status: 409,
    type: 'conflict_error',
    cause: 'The block is not final yet, or has not been read yet.',
    remedy: 'Ask for an earlier block, or wait.',
  },
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
} as const satisfies Record<string, ErrorEntry>

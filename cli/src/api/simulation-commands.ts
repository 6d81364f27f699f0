import type { ApiCommand } from './api-command.ts'

export const simulationCommands = {
  simulatePayment: {
    noun: 'simulate',
    verb: 'payment',
    subject: 'orderId',
    examples: ['simulate payment "$ORDER" --kind exact'],
  },
  simulatePaymentDeadline: {
    noun: 'simulate',
    verb: 'payment-deadline',
    subject: 'orderId',
    examples: ['simulate payment-deadline "$ORDER"'],
  },
  simulateDecision: {
    noun: 'simulate',
    verb: 'decision',
    subject: 'accountId',
    examples: ['simulate decision "$ACCOUNT" --kyc APPROVED'],
  },
  simulateKycResult: {
    noun: 'simulate',
    verb: 'kyc',
    subject: 'accountId',
    examples: ['simulate kyc "$COMPANY" --outcome expired', 'simulate kyc "$ACCOUNT" --outcome approved'],
  },
  simulateWallet: {
    noun: 'simulate',
    verb: 'wallet',
    subject: 'accountId',
    examples: ['simulate wallet "$ACCOUNT" --offering "$OFFERING"'],
  },
  simulateMintFailure: {
    noun: 'simulate',
    verb: 'mint-failure',
    subject: 'offeringId',
    examples: ['simulate mint-failure "$OFFERING" --failing true', 'simulate mint-failure "$OFFERING" --failing false'],
  },
  simulateReorg: {
    noun: 'simulate',
    verb: 'reorg',
    examples: ['simulate reorg --offering "$OFFERING" --depth 1'],
  },
  simulateTransfer: {
    noun: 'simulate',
    verb: 'transfer',
    examples: [
      'simulate transfer --offering "$OFFERING" --from-wallet "$WALLET" --to-wallet "$OTHER_WALLET" --tokens 0.5',
    ],
  },
  simulateTransferRequest: {
    noun: 'simulate',
    verb: 'transfer-request',
    subject: 'transferId',
    examples: ['simulate transfer-request "$TRANSFER"'],
  },
  simulateDistribution: {
    noun: 'simulate',
    verb: 'distribution',
    subject: 'offeringId',
    examples: [
      'simulate distribution "$OFFERING" --result paid --rate-per-token 12.50',
      'simulate distribution "$OFFERING" --result failed --kind DIVIDEND',
    ],
  },
  expireDeadlines: {
    noun: 'simulate',
    verb: 'expire-deadlines',
    examples: ['simulate expire-deadlines --advance-seconds 86400'],
  },
} as const satisfies Record<string, ApiCommand>

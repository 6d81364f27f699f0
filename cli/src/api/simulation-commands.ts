import type { ApiCommand } from './api-command.ts'

export const simulationCommands = {
  simulatePayment: {
    name: 'simulate payment',
    subject: 'orderId',
    examples: ['simulate payment "$ORDER" --kind exact'],
  },
  simulatePaymentDeadline: {
    name: 'simulate payment-deadline',
    subject: 'orderId',
    examples: ['simulate payment-deadline "$ORDER"'],
  },
  simulateDecision: {
    name: 'simulate decision',
    subject: 'accountId',
    examples: ['simulate decision "$ACCOUNT" --kyc APPROVED'],
  },
  simulateKycResult: {
    name: 'simulate kyc',
    subject: 'accountId',
    examples: ['simulate kyc "$COMPANY" --outcome expired', 'simulate kyc "$ACCOUNT" --outcome approved'],
  },
  simulateWallet: {
    name: 'simulate wallet',
    subject: 'accountId',
    examples: ['simulate wallet "$ACCOUNT" --offering "$OFFERING"'],
  },
  simulateMintFailure: {
    name: 'simulate mint-failure',
    subject: 'offeringId',
    examples: ['simulate mint-failure "$OFFERING" --failing true', 'simulate mint-failure "$OFFERING" --failing false'],
  },
  simulateReorg: { name: 'simulate reorg', examples: ['simulate reorg --offering "$OFFERING" --depth 1'] },
  simulateTransfer: {
    name: 'simulate transfer',
    examples: [
      'simulate transfer --offering "$OFFERING" --from-wallet "$WALLET" --to-wallet "$OTHER_WALLET" --tokens 0.5',
    ],
  },
  simulateTransferRequest: {
    name: 'simulate transfer-request',
    subject: 'transferId',
    examples: ['simulate transfer-request "$TRANSFER"'],
  },
  simulateDistribution: {
    name: 'simulate distribution',
    subject: 'offeringId',
    examples: [
      'simulate distribution "$OFFERING" --result paid --rate-per-token 12.50',
      'simulate distribution "$OFFERING" --result failed --kind DIVIDEND',
    ],
  },
  expireDeadlines: {
    name: 'simulate expire-deadlines',
    examples: ['simulate expire-deadlines --advance-seconds 86400'],
  },
} as const satisfies Record<string, ApiCommand>

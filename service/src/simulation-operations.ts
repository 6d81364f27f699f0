import type { PublicOperation, SignedOperation, TenantOperation } from './http/operation.ts'
import { operations } from './operations.ts'
import { advanceClock } from './simulations/advance-clock.ts'
import type { Lab } from './simulations/lab.ts'
import { simulateDecision } from './simulations/simulate-decision.ts'
import { simulateMintFailure } from './simulations/simulate-mint-failure.ts'
import { simulatePayment } from './simulations/simulate-payment.ts'
import { simulatePaymentDeadline } from './simulations/simulate-payment-deadline.ts'
import { simulateReorganisation } from './simulations/simulate-reorganisation.ts'
import { simulateTransfer } from './simulations/simulate-transfer.ts'
import { simulateWallet } from './simulations/simulate-wallet.ts'

/**
 * What happens to an integrator in the course of a year, at the push of a button. Served in development and nowhere
 * else: there these paths do not exist.
 */
export const simulationOperations = (lab: Lab): readonly TenantOperation[] => [
  simulatePayment, //             POST /simulations/orders/:orderId/payments
  simulatePaymentDeadline, //     POST /simulations/orders/:orderId/payment-deadline
  simulateDecision, //            POST /simulations/accounts/:accountId/decision
  simulateWallet, //              POST /simulations/accounts/:accountId/wallets
  simulateMintFailure(lab), //    POST /simulations/offerings/:offeringId/mint-failure
  simulateReorganisation(lab), // POST /simulations/reorganisation
  simulateTransfer(lab), //       POST /simulations/transfers
  advanceClock, //                POST /simulations/clock
]

/** All that the reference describes, whether or not it is served here. */
export const describedOperations: readonly (TenantOperation | PublicOperation | SignedOperation)[] = [
  ...operations,
  ...simulationOperations(new Map()),
]

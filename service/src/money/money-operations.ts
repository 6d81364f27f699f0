import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { createPaymentProvider } from './payment-providers/operator/create-payment-provider.ts'
import { disablePaymentProvider } from './payment-providers/operator/disable-payment-provider.ts'
import { listPaymentProviders } from './payment-providers/operator/list-payment-providers.ts'
import { rotatePaymentProvider } from './payment-providers/operator/rotate-payment-provider.ts'
import { acceptLatePayment } from './payments/operator/accept-late-payment.ts'
import { assignPayment } from './payments/operator/assign-payment.ts'
import { dismissUnassignedPayment } from './payments/operator/dismiss-unassigned-payment.ts'
import { getUnassignedPayment } from './payments/operator/get-unassigned-payment.ts'
import { listPayments } from './payments/operator/list-payments.ts'
import { listUnassignedPayments } from './payments/operator/list-unassigned-payments.ts'
import { recordPayment } from './payments/operator/record-payment.ts'
import { returnUnassignedPayment } from './payments/operator/return-unassigned-payment.ts'
import { revealPayer } from './payments/operator/reveal-payer.ts'
import { reverseBookedPayment } from './payments/operator/reverse-booked-payment.ts'
import { splitUnassignedPayment } from './payments/operator/split-unassigned-payment.ts'
import { createPayout } from './payouts/operator/create-payout.ts'
import { discardPayout } from './payouts/operator/discard-payout.ts'
import { downloadPayout } from './payouts/operator/download-payout.ts'
import { getPayout } from './payouts/operator/get-payout.ts'
import { listPayoutTransfers } from './payouts/operator/list-payout-transfers.ts'
import { listPayouts } from './payouts/operator/list-payouts.ts'
import { releasePayout } from './payouts/operator/release-payout.ts'
import { bookStatement } from './statements/operator/book-statement.ts'
import { discardStatement } from './statements/operator/discard-statement.ts'
import { downloadStatement } from './statements/operator/download-statement.ts'
import { getStatement } from './statements/operator/get-statement.ts'
import { importStatement } from './statements/operator/import-statement.ts'
import { listAllStatementEntries } from './statements/operator/list-all-statement-entries.ts'
import { listStatementEntries } from './statements/operator/list-statement-entries.ts'
import { listStatementFindings } from './statements/operator/list-statement-findings.ts'
import { listStatements } from './statements/operator/list-statements.ts'
import { resolveStatementEntry } from './statements/operator/resolve-statement-entry.ts'
import { resolveStatementGap } from './statements/operator/resolve-statement-gap.ts'
import { revealStatementEntry } from './statements/operator/reveal-statement-entry.ts'

/** Payments, payment providers, payouts and bank statements. */
export const moneyOperations: readonly OperatorOperation[] = [
  acceptLatePayment, //                POST  /orders/:orderId/accept-late-payment
  recordPayment, //                    POST  /orders/:orderId/payments
  listPayments, //                     GET   /orders/:orderId/payments
  reverseBookedPayment, //             POST  /payments/:paymentId/reverse
  listUnassignedPayments, //           GET   /unassigned-payments
  getUnassignedPayment, //             GET   /unassigned-payments/:paymentId
  assignPayment, //                    POST  /unassigned-payments/:paymentId/assign
  dismissUnassignedPayment, //         POST  /unassigned-payments/:paymentId/dismiss
  returnUnassignedPayment, //          POST  /unassigned-payments/:paymentId/return
  revealPayer, //                      POST  /unassigned-payments/:paymentId/reveal
  splitUnassignedPayment, //           POST  /unassigned-payments/:paymentId/split

  createPaymentProvider, //            POST  /payment-providers
  listPaymentProviders, //             GET   /payment-providers
  disablePaymentProvider, //           POST  /payment-providers/:providerId/disable
  rotatePaymentProvider, //            POST  /payment-providers/:providerId/rotate

  createPayout, //                     POST  /payouts
  listPayouts, //                      GET   /payouts
  getPayout, //                        GET   /payouts/:payoutId
  listPayoutTransfers, //              GET   /payouts/:payoutId/transfers
  releasePayout, //                    POST  /payouts/:payoutId/release
  discardPayout, //                    POST  /payouts/:payoutId/discard
  downloadPayout, //                   POST  /payouts/:payoutId/download
  importStatement, //                  POST  /statements
  bookStatement, //                    POST  /statements/:statementId/book
  discardStatement, //                 POST  /statements/:statementId/discard
  downloadStatement, //                POST  /statements/:statementId/download
  listAllStatementEntries, //          GET   /statement-entries
  listStatementFindings, //            GET   /statement-findings
  listStatements, //                   GET   /statements
  getStatement, //                     GET   /statements/:statementId
  listStatementEntries, //             GET   /statements/:statementId/entries
  resolveStatementEntry, //            POST  /statements/:statementId/entries/:entryId/resolve
  revealStatementEntry, //             POST  /statements/:statementId/entries/:entryId/reveal
  resolveStatementGap, //              POST  /statements/:statementId/resolve-gap
]

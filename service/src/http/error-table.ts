import { accessErrors } from './errors/access-errors.ts'
import { chainErrors } from './errors/chain-errors.ts'
import { payoutErrors } from './errors/payout-errors.ts'
import { requestErrors } from './errors/request-errors.ts'
import { saleErrors } from './errors/sale-errors.ts'
import { simulationErrors } from './errors/simulation-errors.ts'
import { statementErrors } from './errors/statement-errors.ts'
import { webhookErrors } from './errors/webhook-errors.ts'

/** Every code a caller can meet. The entries are in errors/, by subject. */
export const errorTable = {
  ...requestErrors,
  ...saleErrors,
  ...statementErrors,
  ...payoutErrors,
  ...simulationErrors,
  ...webhookErrors,
  ...chainErrors,
  ...accessErrors,
} as const

export type ErrorCode = keyof typeof errorTable

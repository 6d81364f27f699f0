import type { DecidedResource } from '../../../platform/api/declare/decision.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { refundErrors } from '../refund.errors.ts'
import { Refund, RefundPath, refundStatuses } from '../refund.schema.ts'
import { lockRefund, refundFingerprint } from '../refund.sql.ts'
import { refundAmount } from './refund-amount.ts'

const refundDecision: DecidedResource = {
  subject: 'refund',
  statuses: refundStatuses,
  statusOf: async ({ params: { refundId = '' } }, { tenantId, tx }) =>
    (await lockRefund(tx, { tenantId, refundId }))?.status ?? null,
}

/** Header members of the operations by which an operator changes the status of a refund. */
export const refundChange = {
  tag: 'Payments and refunds',
  method: 'POST',
  decides: refundDecision,
  idempotency: 'optional',
  params: RefundPath,
  success: { status: 200, body: Refund },
  errors: [requestErrors.not_found, refundErrors.refund_not_in_state],
} as const

/** Rule of the second person: the duty, and the amount and the row that the confirmation is about. */
export const refundRelease = {
  confirmDuty: 'release',
  subject: 'refund',
  amount: refundAmount,
  fingerprint: refundFingerprint,
} as const

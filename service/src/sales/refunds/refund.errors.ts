import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const refundErrors = declareErrors({
  refund_not_in_state: {
    status: 409,
    cause: 'The status of the refund does not allow this operation.',
    remedy: 'Read the refund to see its status.',
  },
})

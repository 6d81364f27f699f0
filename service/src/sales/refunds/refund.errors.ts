import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const refundErrors = declareErrors({
  refund_not_in_state: {
    status: 409,
    type: 'conflict_error',
    cause: 'The refund is in a state that does not allow this.',
    remedy: 'Read the refund to see how far it has come.',
  },
})

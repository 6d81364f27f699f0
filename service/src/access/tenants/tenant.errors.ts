import { declareErrors } from '../../platform/api/errors/declare-errors.ts'

export const tenantErrors = declareErrors({
  tenant_limit_reached: {
    status: 409,
    cause:
      'The tenant has as many of these as it may have, or as many requests per minute. The message names the limit.',
    remedy:
      'Remove or disable what is no longer needed, or ask those who run this installation to raise the limit: ' +
      '`maintain set-tenant-limits`. Admins of the tenant cannot raise it.',
  },
})

import { ApiError } from '../../platform/api/errors/errors.ts'
import { tenantErrors } from './tenant.errors.ts'

/** Limits that are stored and enforced in the directory. */
export interface DirectoryLimits {
  /** Sum over all enabled credentials. */
  requestsPerMinute: number
  credentials: number
  users: number
  personalTokens: number
  invitationsPerDay: number
}

/** Limits that are stored and enforced in the tenant's cell. */
export interface CellLimits {
  paymentProviders: number
  webhookEndpoints: number
  /** Sum over documents, imported bank files and exports. */
  fileMebibytes: number
}

/** A tenant's share of common resources. Only `maintain set-tenant-limits` changes it. */
export type TenantLimits = DirectoryLimits & CellLimits

/** Throws if `used`, including what the request adds, is more than `max`. The caller has locked what it counted. */
export function requireWithinLimit(name: keyof TenantLimits, used: number, max: number): void {
  if (used <= max) return
  throw new ApiError(
    tenantErrors.tenant_limit_reached,
    `The tenant may have at most ${max} ${described[name]}. Ask the installation's administrator to raise the limit.`,
  )
}

const described: Record<keyof TenantLimits, string> = {
  requestsPerMinute: 'requests per minute, the sum of requests_per_minute of its enabled credentials',
  credentials: 'enabled credentials',
  users: 'users',
  personalTokens: 'valid personal access tokens',
  invitationsPerDay: 'users invited in 24 hours',
  paymentProviders: 'enabled payment providers',
  webhookEndpoints: 'webhook endpoints',
  fileMebibytes: 'MiB of documents, imported bank files and exports',
}

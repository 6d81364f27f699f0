import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'

/** The id of one resource of each kind in the operator API, by the name of its path parameter. */
export interface OperatorWorld extends Record<string, string> {
  tenantId: string
  offeringId: string
  clientId: string
  userId: string
  tokenId: string
  sessionId: string
  approvalId: string
  directoryApprovalId: string
  accountId: string
  walletId: string
  orderId: string
  refundId: string
  payoutId: string
  opId: string
  actionId: string
  endpointId: string
  eventId: string
  paymentId: string
  bookedPaymentId: string
  providerId: string
  kycProviderId: string
  checkId: string
  statementId: string
  entryId: string
  exportId: string
  documentId: string
  distributionId: string
  entitlementId: string
  fileId: string
  scheduleId: string
  transferId: string
  unrequestedTransferId: string
}

/** Creates resources for an operation that succeeds only once or needs a certain state. Returns their ids. */
export type Preparation = (
  installation: TestInstallation,
  world: OperatorWorld,
  api: RunningApi,
  caller: TestOperator,
) => Promise<Record<string, string>>

export type MeantIds = (world: Readonly<Record<string, string>>) => Record<string, string>

/** A valid request of an operation. */
export interface OperatorRequest {
  /** A valid body, if the operation has one. */
  body?: (world: OperatorWorld) => unknown
  /** Parameters that the operation requires. */
  query?: (world: OperatorWorld) => string[]
  /** Headers for a body that is not JSON. */
  headers?: Record<string, string>
  prepare?: Preparation
  /** Maps a path parameter to a resource of the world with another name. */
  idsOf?: MeantIds
  /** True if users may run it for themselves, and those with the duty team for all users. */
  isAllowedForSelf?: true
}

export type OfTenant = { tenantId: string }

/** Returns a bulk request with one item. */
export function bulkOf(item: (world: OperatorWorld) => object, prepare: Preparation): OperatorRequest {
  return { body: (world) => ({ items: [item(world)] }), prepare }
}

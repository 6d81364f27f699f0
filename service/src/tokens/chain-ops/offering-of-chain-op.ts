import type { OfferingOf } from '../../platform/api/declare/offering-of.ts'
import { findChainOp } from './chain-op.sql.ts'

/** Finds the offering of the chain op in the path; null for an op that concerns all offerings, such as DEPLOY_DESK. */
export const offeringOfChainOp: OfferingOf = async ({ opId = '' }, { tenantId, tx }) => {
  const op = await findChainOp(tx, { tenantId, opId })
  return op?.offeringId ?? null
}

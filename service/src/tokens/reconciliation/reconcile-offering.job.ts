import { Type } from 'typebox'
import { job } from '../../platform/jobs/job.ts'
import { ChainUnavailable } from '../chain/chain.ts'
import { inTenantWrite } from '../chain/chain-context.ts'
import { type ReconcileContext, reconcileAndStop } from './reconcile.ts'
import { storeReconciliationProblem } from './reconciliation.sql.ts'

/** Compares one token with its chain now, because an operator asked for it. */
export const reconcileOffering = job({
  name: 'reconcile-offering',
  payload: Type.Object({ tenant_id: Type.String(), offering_id: Type.String() }),
  keyOf: ({ offering_id }) => offering_id,
  run: async ({ tenant_id: tenantId, offering_id: offeringId }, context: ReconcileContext) => {
    const key = { tenantId, offeringId }
    const problem = await problemOf(() => reconcileAndStop(context, key))
    if (problem) await inTenantWrite(context, tenantId, (tx) => storeReconciliationProblem(tx, key, problem))
  },
})

const notComparable =
  'The chain has not been indexed, the token cannot be read, or the worker has no node of this chain.'

async function problemOf(compare: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await compare()) ? undefined : notComparable
  } catch (error) {
    if (error instanceof ChainUnavailable) return error.message
    throw error
  }
}

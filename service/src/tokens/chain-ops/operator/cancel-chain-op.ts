import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { chainOpErrors } from '../chain-op.errors.ts'
import { ChainOperation, ChainOpPath } from '../chain-op.schema.ts'
import { chainOpFingerprint, findChainOp, offeringOfChainOp, recordOperatorRequest } from '../chain-op.sql.ts'
import { twoPersonKinds } from '../chain-op.ts'
import { readChainOp } from '../chain-op.view.ts'
import { requireOp } from '../require-op.ts'

export const cancelChainOp = operatorOperation(
  {
    id: 'cancelChainOp',
    summary: 'Cancel a chain op',
    description:
      'If the op has no nonce yet, it ends at once. Otherwise an empty transaction consumes the nonce; a transaction ' +
      'that is already in flight may be mined first, and the op then ends as FINAL. The orders of a cancelled mint ' +
      'become READYTOMINT again. A registration that wallets still need is enqueued again.',
    tag: 'Settlement',
    method: 'POST',
    path: '/chain-ops/:opId/cancel',
    duty: 'settlement',
    offering: offeringOfChainOp,
    approval: 'policy',
    idempotency: 'optional',
    params: ChainOpPath,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found, chainOpErrors.chain_op_not_in_state],
  },
  async ({ params }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const op = await requireOp(tx, key, ['QUEUED', 'RESERVED', 'SIGNED'])
    if (op.isCancelling) audit('nothing changed')
    else {
      await recordOperatorRequest(tx, op, 'cancel', now)
      audit({ action: 'chain_op.cancelled', subject: { type: 'chain_op', id: op.id }, before: { state: op.state } })
    }
    return readChainOp(tx, key)
  },
  {
    policy: 'always',
    subject: 'chain_op',
    isNeeded: async ({ params }, { tenantId, tx }) => {
      const op = await findChainOp(tx, { tenantId, ...params })
      return op !== undefined && twoPersonKinds.includes(op.kind)
    },
    confirmDuty: 'token',
    fingerprint: chainOpFingerprint,
  },
)

import type { Hash } from 'viem'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { chainOpErrors } from '../chain-op.errors.ts'
import { ChainOperation, ChainOpPath, ForeignTransaction } from '../chain-op.schema.ts'
import { chainOpFingerprint, offeringOfChainOp, recordOperatorRequest } from '../chain-op.sql.ts'
import { readChainOp } from '../chain-op.view.ts'
import { moveOp } from '../chain-op-engine.sql.ts'
import { insertForeignAttempt } from '../chain-tx.sql.ts'
import { requireOp } from '../require-op.ts'

export const attachTransaction = operatorOperation(
  {
    id: 'attachTransaction',
    summary: 'Attach a transaction to a chain op',
    description:
      'For a transaction that was sent from outside the service. The worker watches it like its own attempts; it ' +
      'counts only if it succeeded and made exactly the call of the op. An op in ALARM is watched again, and returns ' +
      'to ALARM if the transaction does not count.',
    tag: 'Settlement',
    method: 'POST',
    path: '/chain-ops/:opId/attach',
    duty: 'settlement',
    offering: offeringOfChainOp,
    approval: 'policy',
    idempotency: 'optional',
    params: ChainOpPath,
    body: ForeignTransaction,
    success: { status: 200, body: ChainOperation },
    errors: [requestErrors.not_found, chainOpErrors.chain_op_not_in_state, chainOpErrors.transaction_already_attached],
  },
  async ({ params, body }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, ...params }
    const op = await requireOp(tx, key, ['SIGNED', 'ALARM'])
    const hash = body.transaction_hash.toLowerCase() as Hash
    if (!(await insertForeignAttempt(tx, op, hash)))
      throw new ApiError(
        chainOpErrors.transaction_already_attached,
        'This transaction is already an attempt of this chain op or of another one.',
      )
    if (op.state === 'ALARM') await moveOp(tx, 'ALARM', { ...op, state: 'SIGNED', failure: null }, now)
    else await recordOperatorRequest(tx, op, 'check', now)
    audit({
      action: 'chain_op.transaction_attached',
      subject: { type: 'chain_op', id: op.id },
      before: { state: op.state },
      after: { state: 'SIGNED', transaction_hash: hash },
    })
    return readChainOp(tx, key)
  },
  { policy: 'attached_transaction', subject: 'chain_op', fingerprint: chainOpFingerprint },
)

import { FileResponse } from '../../../platform/api/declare/file-response.ts'
import { type OperatorContext, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { found } from '../../../platform/api/errors/found.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { moveRefund } from '../../../sales/refunds/refund.sql.ts'
import { creditTransferFile, endToEndId } from '../credit-transfer-file.ts'
import { payoutErrors } from '../payout.errors.ts'
import { PayoutPath } from '../payout.schema.ts'
import { type LockedPayout, lockPayout, type PayoutKey, setPayoutDownloaded } from '../payout.sql.ts'
import { lockDueTransfers } from '../payout-transfer.sql.ts'
import { transfersToFrozenCreditors } from '../plan-transfers.ts'
import { requireNoStop } from '../require-no-stop.ts'
import { separateUncovered } from '../separate-uncovered.ts'

export const downloadPayout = operatorOperation(
  {
    id: 'downloadPayout',
    summary: 'Download the file of a payout',
    description:
      'Returns the file for the bank: ISO 20022 pain.001.001.09. The payout must be released. The first download ' +
      'marks its refunds as sent, each with the end-to-end id of its transfer as reference. Refunds withdrawn since ' +
      'the payout was created are not in the file, nor those whose money was taken back since, which stay due. Every ' +
      'later download returns the same bytes and changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts/:payoutId/download',
    duty: 'money',
    approval: 'never',
    // Needs no key: a repeated download returns the stored file.
    idempotency: 'none',
    params: PayoutPath,
    success: { status: 200, body: FileResponse, file: 'application/xml' },
    errors: [
      requestErrors.not_found,
      payoutErrors.payout_not_in_state,
      payoutErrors.payout_not_released,
      payoutErrors.payout_empty,
      payoutErrors.payouts_stopped,
    ],
  },
  async ({ params: { payoutId } }, context) => {
    const { tenantId, tx, vault, audit } = context
    const payout = found(await lockPayout(tx, { tenantId, payoutId }), 'The payout does not exist.')
    if (payout.status === 'discarded')
      throw new ApiError(
        payoutErrors.payout_not_in_state,
        'The payout was discarded and its refunds are available again. Create a new payout.',
      )
    if (payout.status === 'open')
      throw new ApiError(
        payoutErrors.payout_not_released,
        'The payout is not released yet. Release it with POST /payouts/{payoutId}/release, then download its file.',
      )
    const name = `refunds-${payoutId}.xml`
    if (payout.file) {
      // Nothing changes, but the file contains bank accounts of investors.
      audit({ action: 'payout.downloaded', subject: { type: 'payout', id: payoutId }, after: { again: true } })
      return { name, content: await vault.open(payout.file, payoutFileContext(payoutId)) }
    }
    return { name, content: await writeFile(context, { tenantId, payoutId }, payout) }
  },
)

/** The vault context of a payout's file, so that one payout's box cannot be opened as another's. */
export function payoutFileContext(payoutId: string): string {
  return `payout ${payoutId} file`
}

/** Writes the file and marks its refunds as sent, all in the caller's transaction. */
async function writeFile(
  { tx, vault, now, operator, audit }: OperatorContext,
  key: PayoutKey,
  { executionDate }: LockedPayout,
): Promise<string> {
  const { tenantId, payoutId } = key
  const due = await lockDueTransfers(tx, key)
  await requireNoStop(tx, tenantId, async () => due)
  // A bank or an operator may have reversed a payment since the payout was created.
  const { covered: refunds, uncovered } = separateUncovered(due, operator.policies)
  const planned = await transfersToFrozenCreditors(payoutId, refunds, vault)
  const { transfers, leftOut } = { ...planned, leftOut: [...uncovered, ...planned.leftOut] }
  if (transfers.length === 0)
    throw new ApiError(
      payoutErrors.payout_empty,
      'None of the refunds can be transferred any more. Discard the payout.',
    )
  const today = now.toISOString().slice(0, 10)
  const content = await creditTransferFile({
    messageId: payoutId,
    createdAt: now,
    // Banks reject an execution date in the past.
    executionDate: executionDate !== null && executionDate > today ? executionDate : today,
    transfers,
  })
  const paid = new Set(transfers.map(({ refundId }) => refundId))
  const file = await vault.seal(content, payoutFileContext(payoutId))
  await tx.batch(
    (tx) => setPayoutDownloaded(tx, key, { file, paid: [...paid], now }),
    ...refunds
      .filter(({ id }) => paid.has(id))
      .map(
        (refund) => (tx: Transaction) =>
          moveRefund(tx, tenantId, refund, { to: 'sent', now, reference: endToEndId(refund.id) }),
      ),
  )
  audit({
    action: 'payout.downloaded',
    subject: { type: 'payout', id: payoutId },
    before: { status: 'released' },
    after: { status: 'downloaded', sent: paid.size, left_due: leftOut.map(({ refundId }) => refundId) },
  })
  return content
}

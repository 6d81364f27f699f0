import { FileResponse } from '../../../platform/api/declare/file-response.ts'
import { operatorOperation, type TenantContext } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { moveRefund } from '../../../sales/refunds/refund.sql.ts'
import { creditTransferFile, endToEndId } from '../credit-transfer-file.ts'
import { payoutErrors } from '../payout.errors.ts'
import { PayoutPath } from '../payout.schema.ts'
import { closePayout, type LockedPayout, lockPayout, lockRefundsOfPayout, type PayoutKey } from '../payout.sql.ts'
import { planTransfers } from '../plan-transfers.ts'

export const downloadPayout = operatorOperation(
  {
    id: 'downloadPayout',
    summary: 'Download the file of a payout',
    description:
      'The file for the bank: ISO 20022 pain.001.001.09. With the first download its refunds are sent, each with ' +
      'the end-to-end id of its transfer as reference. What was withdrawn since the payout was made is not in it. ' +
      'Every later download answers the same bytes and changes nothing.',
    tag: 'Payments and refunds',
    method: 'POST',
    path: '/payouts/:payoutId/download',
    role: 'operator',
    // It needs no key: downloading again is the same by itself.
    idempotency: 'none',
    params: PayoutPath,
    success: { status: 200, body: FileResponse, file: 'application/xml' },
    errors: [requestErrors.not_found, payoutErrors.payout_not_in_state, payoutErrors.payout_empty],
  },
  async ({ params: { payoutId } }, context) => {
    const { tenantId, tx, vault, audit } = context
    const payout = await lockPayout(tx, { tenantId, payoutId })
    if (!payout) throw new ApiError(requestErrors.not_found, 'There is no such payout.')
    if (payout.status === 'discarded')
      throw new ApiError(
        payoutErrors.payout_not_in_state,
        'The payout was discarded: its refunds are free. Make a new one.',
      )
    const name = `refunds-${payoutId}.xml`
    if (payout.file) {
      audit('nothing changed')
      return { name, content: await vault.open(payout.file, sealedFile(payoutId)) }
    }
    return { name, content: await writeFile(context, { tenantId, payoutId }, payout) }
  },
)

/** What a sealed file is bound to: it opens for this payout and for no other. */
function sealedFile(payoutId: string): string {
  return `payout ${payoutId} file`
}

/** Writes the file and sends its refunds, all of them or none. */
async function writeFile(
  { tx, vault, now, audit }: TenantContext,
  key: PayoutKey,
  { executionDate }: LockedPayout,
): Promise<string> {
  const { tenantId, payoutId } = key
  const refunds = await lockRefundsOfPayout(tx, key)
  // Accounts may have changed since the payout was made: what can no longer be transferred stays due.
  const { transfers, leftOut } = await planTransfers(refunds, vault)
  if (transfers.length === 0)
    throw new ApiError(
      payoutErrors.payout_empty,
      'None of its refunds can be transferred any more. Discard the payout.',
    )
  const today = now.toISOString().slice(0, 10)
  const content = creditTransferFile({
    payoutId,
    createdAt: now,
    // A bank refuses a day that is over.
    executionDate: executionDate !== null && executionDate > today ? executionDate : today,
    transfers,
  })
  const paid = new Set(transfers.map(({ refundId }) => refundId))
  const file = await vault.seal(content, sealedFile(payoutId))
  await Promise.all([
    closePayout(tx, key, { file, paid: [...paid], now }),
    ...refunds
      .filter(({ id }) => paid.has(id))
      .map((refund) => moveRefund(tx, tenantId, refund, { to: 'sent', now, reference: endToEndId(refund.id) })),
  ])
  audit({
    action: 'payout.downloaded',
    subject: { type: 'payout', id: payoutId },
    before: { status: 'open' },
    after: { status: 'downloaded', sent: paid.size, left_due: leftOut.map(({ refundId }) => refundId) },
  })
  return content
}

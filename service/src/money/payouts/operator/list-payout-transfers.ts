import { keysetListOperation, pageOfViews } from '../../../platform/api/declare/keyset-list.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { PayoutPath, PayoutTransfer } from '../payout.schema.ts'
import { findPayout } from '../payout.sql.ts'
import { pageOfTransfers, type TransferRow } from '../payout-transfer.sql.ts'
import { openCreditor } from '../sealed-creditor.ts'

export const listPayoutTransfers = keysetListOperation(
  {
    id: 'listPayoutTransfers',
    summary: 'List the transfers of a payout',
    description:
      'Which refund pays whom. Chosen when the payout was created: the file has these creditors, whatever changes ' +
      'later. A discarded payout has none.',
    tag: 'Payments and refunds',
    path: '/payouts/:payoutId/transfers',
    duty: 'read',
    params: PayoutPath,
    item: PayoutTransfer,
    errors: [requestErrors.not_found],
  },
  async ({ params: { payoutId }, page }, { tenantId, tx, vault }) => {
    const key = { tenantId, payoutId }
    const [payout, { count, rows }] = await tx.batch(
      (tx) => findPayout(tx, key),
      (tx) => pageOfTransfers(tx, key, page),
    )
    if (!payout) throw new ApiError(requestErrors.not_found, 'The payout does not exist.')
    const view = async (row: TransferRow) => {
      const { id: refundId, orderId, amount, currency, status, creditor, creditorSource } = row
      const { name, iban } = await openCreditor(vault, { payoutId, refundId }, creditor)
      return {
        refund_id: refundId,
        order_id: orderId,
        amount: amount.toString(),
        currency,
        status,
        creditor_name: name,
        creditor_iban: iban,
        source: creditorSource,
        may_be_paid: row.mayBePaid,
        earlier_payouts: row.earlierPayouts.map(({ payoutId: earlierId, downloadedAt }) => ({
          payout_id: earlierId,
          downloaded_at: new Date(downloadedAt).toISOString(),
        })),
      }
    }
    return { count, ...(await pageOfViews(rows, page, (those) => Promise.all(those.map(view)))) }
  },
)

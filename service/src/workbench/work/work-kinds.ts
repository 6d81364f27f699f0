import { accessWork } from '../../access/access-work.sql.ts'
import { moneyWork } from '../../money/money-work.sql.ts'
import type { WorkKind } from '../../records/work/work-kind.ts'
import { salesWork } from '../../sales/sales-work.sql.ts'
import { tokensWork } from '../../tokens/tokens-work.sql.ts'
import { webhooksWork } from '../../webhooks/webhooks-work.sql.ts'

/** Everything that waits for operators. Each room declares its own kinds. */
export const workKinds: readonly WorkKind[] = [
  ...accessWork, //   approval, secret_expiring
  ...salesWork, //    approval_pending, kyc_check_queued, order_to_accept, order_on_hold, late_payment,
  //                  part_paid_due_soon, refund_due, refund_failed, refund_unsettled
  ...moneyWork, //    unassigned_payment, statement_entry, statement_gap
  ...tokensWork, //   chain_op_failed, minting_stopped, token_rejected, transfer_to_approve,
  //                  unrequested_transfer, gas_low, indexer_behind
  ...webhooksWork, // webhook_failing
]

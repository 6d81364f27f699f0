import { creditTransferFile } from '../../money/payouts/credit-transfer-file.ts'
import { payoutErrors } from '../../money/payouts/payout.errors.ts'
import { requireNoStop } from '../../money/payouts/require-no-stop.ts'
import { checkedTransfer } from '../../money/payouts/transfer.ts'
import { FileResponse } from '../../platform/api/declare/file-response.ts'
import { type OperatorContext, operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { DistributionFilePath } from '../distribution.schema.ts'
import type { DistributionRow } from '../distribution.sql.ts'
import {
  type LockedFile,
  lockDueEntitlements,
  lockFile,
  setFileDownloaded,
  setLeftOut,
  type TransferredEntitlement,
} from '../distribution-file.sql.ts'
import { requireDistribution } from '../require-distribution.ts'
import { requireRegisterAgrees } from '../require-register-agrees.sql.ts'
import { distributionFileContext, openEntitlementCreditor } from '../sealed-transfer.ts'
import { accountNotApproved, transferText } from '../write-distribution-files.job.ts'

export const downloadDistributionFile = operatorOperation(
  {
    id: 'downloadDistributionFile',
    summary: 'Download a file of a distribution',
    description:
      'Returns the file for the bank: ISO 20022 pain.001.001.09. The first download marks its entitlements as sent, ' +
      'each with its id as end-to-end id. Every later download returns the same bytes and changes nothing.',
    tag: 'Distributions',
    method: 'POST',
    path: '/distribution-files/:fileId/download',
    duty: 'money',
    approval: 'never',
    // Needs no key: a repeated download returns the stored file.
    idempotency: 'none',
    params: DistributionFilePath,
    success: { status: 200, body: FileResponse, file: 'application/xml' },
    errors: [
      requestErrors.not_found,
      distributionErrors.distribution_not_in_state,
      distributionErrors.register_differs,
      payoutErrors.payouts_stopped,
    ],
  },
  async ({ params: { fileId } }, context) => {
    const { tenantId, tx, vault, audit } = context
    const file = found(await lockFile(tx, { tenantId, fileId }), 'The file does not exist.')
    const name = `distribution-${file.distributionId}-${file.number}.xml`
    if (file.file) {
      // Nothing changes, but the file contains bank accounts of investors.
      audit({
        action: 'distribution_file.downloaded',
        subject: { type: 'distribution', id: file.distributionId },
        after: { file_id: fileId, again: true },
      })
      return { name, content: await vault.open(file.file, distributionFileContext(fileId)) }
    }
    return { name, content: await writeContent(context, file) }
  },
)

/** Writes the file and marks its entitlements as sent, all in the caller's transaction. */
async function writeContent(context: OperatorContext, { id: fileId, distributionId }: LockedFile): Promise<string> {
  const { tenantId, tx, vault, now, audit } = context
  const distribution = await requireDistribution(tx, { tenantId, distributionId })
  const { sourceAccount, currency, payOn } = distribution
  await requireNoStop(tx, tenantId, async () => [{ collectionAccount: sourceAccount, currency }])
  await requireRegisterAgrees(tx, { tenantId, offeringId: distribution.offeringId })
  const stillDue = await lockDueEntitlements(tx, { tenantId, fileId })
  const due = stillDue.filter(({ isHeld }) => !isHeld)
  if (due.length === 0)
    throw new ApiError(
      distributionErrors.distribution_not_in_state,
      'None of the entitlements of the file is due any more: the bank has paid them, or their accounts are no longer ' +
        'approved. It needs no download.',
    )
  // An account may have been rejected since the file was planned.
  const waiting = stillDue.filter(({ isHeld }) => isHeld)
  await setLeftOut(
    tx,
    tenantId,
    waiting.map(({ id }) => ({ id, reason: accountNotApproved })),
  )
  const transfers = await Promise.all(due.map((one) => frozenTransfer(context, { distribution, fileId }, one)))
  const today = now.toISOString().slice(0, 10)
  // Banks reject an execution date in the past.
  const executionDate = payOn > today ? payOn : today
  const content = await creditTransferFile({ messageId: fileId, createdAt: now, executionDate, transfers })
  const file = await vault.seal(content, distributionFileContext(fileId))
  await setFileDownloaded(tx, { tenantId, fileId }, { file, paid: due.map(({ id }) => id), now })
  audit({
    action: 'distribution_file.downloaded',
    subject: { type: 'distribution', id: distributionId },
    before: { status: 'open' },
    after: { status: 'downloaded', file_id: fileId, sent: due.length, left_out: waiting.map(({ id }) => id) },
  })
  return content
}

/** Builds the transfer to the creditor that was chosen when the file was planned, whatever has changed since then. */
async function frozenTransfer(
  { vault }: Pick<OperatorContext, 'vault'>,
  { distribution, fileId }: { distribution: DistributionRow; fileId: string },
  { id, net, creditor }: TransferredEntitlement,
) {
  const { name, iban, bic } = await openEntitlementCreditor(vault, { fileId, entitlementId: id }, creditor)
  const transfer = checkedTransfer({ id, amount: net, text: transferText(distribution) }, distribution.sourceAccount, {
    account_holder: name,
    iban,
    bic: bic ?? '',
  })
  if (typeof transfer === 'string') throw new Error(`a frozen transfer is not valid: ${transfer}`)
  return transfer
}

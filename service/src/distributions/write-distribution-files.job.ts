import { Type } from 'typebox'
import { findTenantSettings } from '../access/settings/tenant-settings.sql.ts'
import { accountDoubt, type RefundRules } from '../money/payouts/account-doubt.ts'
import { type CreditTransfer, checkedTransfer } from '../money/payouts/transfer.ts'
import { newRowId } from '../platform/base/ids.ts'
import { Money } from '../platform/base/money.ts'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../platform/jobs/job.ts'
import { inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { Vault } from '../platform/postgres/vault.ts'
import { decryptBankAccount } from '../sales/accounts/account.view.ts'
import { type DistributionKey, type DistributionRow, lockDistribution } from './distribution.sql.ts'
import {
  insertFile,
  lockEntitlementsToPay,
  type PayableEntitlement,
  publishEntitlements,
  setLeftOut,
} from './distribution-file.sql.ts'
import { addFiled } from './distribution-step.sql.ts'
import { sealEntitlementCreditor } from './sealed-transfer.ts'

/** A file of about 1 MB, like that of a payout of refunds. */
const transfersMax = 1_000
const sliceMs = 2_000

export const filesQueue = {
  name: 'write-distribution-files',
  payload: Type.Object({ tenant_id: Type.String(), distribution_id: Type.String() }),
  keyOf: ({ distribution_id: distributionId }: { distribution_id: string }) => distributionId,
} as const

/**
 * Publishes the entitlements of a distribution to integrators and writes the due ones to files for the bank, one file
 * per transaction. File and cursor commit together, so a killed worker neither loses nor repeats one.
 */
export const writeDistributionFiles = job({
  ...filesQueue,
  run: async (payload, context: Pick<JobContext, 'databases' | 'placement' | 'vaults' | 'clock'>) => {
    const { tenant_id: tenantId, distribution_id: distributionId } = payload
    const endsAt = performance.now() + sliceMs
    for (;;) {
      const hasMore = await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        writeDistributionFile(
          { tx, vault: context.vaults.of(tx, tenantId), now: context.clock() },
          { tenantId, distributionId },
        ),
      )
      if (!hasMore) return
      if (performance.now() < endsAt) continue
      return inTenantTransaction(context, { tenantId, access: 'write' }, (tx) => enqueueJob(tx, filesQueue, payload))
    }
  },
})

interface FileContext {
  readonly tx: Transaction
  readonly vault: Vault
  readonly now: Date
}

/** Returns false if nothing is left. */
export async function writeDistributionFile(context: FileContext, key: DistributionKey): Promise<boolean> {
  const { tx, vault, now } = context
  const { tenantId } = key
  const distribution = await lockDistribution(tx, key)
  if (distribution?.status !== 'PAYING' || !distribution.isFiling) return false
  const batch = await lockEntitlementsToPay(tx, key, { after: distribution.cursor, limit: transfersMax })
  const unpublished = batch.filter(({ isPublished }) => !isPublished).map(({ id }) => id)
  if (unpublished.length > 0) await publishEntitlements(tx, tenantId, unpublished)
  const rules = await findTenantSettings(tx, tenantId)
  const due = batch.filter(({ status }) => status === 'due')
  const planned = await Promise.all(due.map((one) => transferOfEntitlement(distribution, one, { ...context, rules })))
  const transfers = planned.filter((one) => typeof one !== 'string')
  const fileId = newRowId()
  if (transfers.length > 0)
    await insertFile(tx, key, {
      id: fileId,
      number: distribution.fileCount + 1,
      amount: transfers.reduce((sum, { amount }) => sum.plus(amount), Money.zero(distribution.currency)),
      transfers: await Promise.all(
        transfers.map(async ({ id: entitlementId, creditor }) => ({
          entitlementId,
          creditor: await sealEntitlementCreditor(vault, { fileId, entitlementId }, creditor),
        })),
      ),
      now,
    })
  const reasons = due.map(({ id }, index) => {
    const result = planned[index]
    return { id, reason: typeof result === 'string' ? result : null }
  })
  if (reasons.length > 0) await setLeftOut(tx, tenantId, reasons)
  const cursor = batch.length === transfersMax ? (batch.at(-1)?.id ?? null) : null
  await addFiled(tx, key, { cursor, files: transfers.length > 0 ? 1 : 0 })
  return cursor !== null
}

/** Reason for leaving an entitlement out of a file, until its account is approved or two persons release it. */
export const accountNotApproved = 'account_not_approved'

/** Returns the transfer to the investor's current bank account, or the reason why it must wait. */
async function transferOfEntitlement(
  { sourceAccount, offeringName, kind, recordAt }: DistributionRow,
  entitlement: PayableEntitlement,
  { vault, now, rules }: { vault: Vault; now: Date; rules: RefundRules },
): Promise<CreditTransfer | string> {
  if (entitlement.isHeld) return accountNotApproved
  const { id, accountId, accountName, bankAccount, bankAccountChangedAt: changedAt, net } = entitlement
  const account = await decryptBankAccount({ id: accountId, bankAccount }, vault)
  const isApproved = entitlement.approvedBankAccountVersion === entitlement.bankAccountVersion
  const doubt = isApproved
    ? undefined
    : accountDoubt({ changedAt, accountHolder: account.account_holder, accountName }, { now, rules })
  const text = transferText({ kind, offeringName, recordAt })
  return doubt ?? checkedTransfer({ id, amount: net, text }, sourceAccount, account)
}

const kindTexts = { COUPON: 'Coupon', DIVIDEND: 'Dividend', REDEMPTION: 'Redemption' } as const

/** Formats the text on the investor's bank statement. */
export function transferText({
  kind,
  offeringName,
  recordAt,
}: Pick<DistributionRow, 'kind' | 'offeringName' | 'recordAt'>): string {
  return `${kindTexts[kind]} ${offeringName} ${recordAt.toISOString().slice(0, 10)}`
}

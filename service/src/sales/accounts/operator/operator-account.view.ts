import type { Static } from 'typebox'
import type { Vault } from '../../../platform/postgres/vault.ts'
import { viewAccount, viewAccountSummary } from '../account.view.ts'
import { findingsOf } from '../data-quality.ts'
import type { AccountSearchResult, OperatorAccount } from './operator-account.schema.ts'
import type { AccountSearchRow, OperatorAccountRow } from './operator-account.sql.ts'

export async function viewAccountSearchResult(
  row: AccountSearchRow,
  vault: Vault,
): Promise<Static<typeof AccountSearchResult>> {
  return {
    ...viewAccountSummary(row),
    kyc_status: row.kycStatus,
    kyb_status: row.kybStatus,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    findings: findingsOf(await viewAccount(row, vault), row.benefitingPersonCountries),
  }
}

export async function viewOperatorAccount(
  row: OperatorAccountRow,
  vault: Vault,
): Promise<Static<typeof OperatorAccount>> {
  const account = await viewAccount(row, vault)
  return {
    ...account,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    erased_at: row.erasedAt?.toISOString() ?? null,
    counts: {
      benefiting_persons: row.benefitingPersonCount,
      orders: Number(row.orderCount),
      wallets: Number(row.walletCount),
      transactions: Number(row.transactionCount),
    },
    findings: findingsOf(account, row.benefitingPersonCountries),
    approval_risks: { kyc: [...row.approvalRisks.kyc], kyb: [...row.approvalRisks.kyb] },
  }
}

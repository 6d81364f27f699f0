import { sealEntitlementCreditor } from '../../../src/distributions/sealed-transfer.ts'
import { randomAddress, randomHash, TenantRows } from '../data/tenant-rows.ts'

export interface DistributionIds extends Record<string, string> {
  offeringId: string
  distributionId: string
  entitlementId: string
  fileId: string
  scheduleId: string
}

interface RowTerms {
  status: string
  /** The status of the entitlement. */
  entitlement: string
  /** Creditor of its transfer. */
  creditor: string
}

interface NewTransferRow {
  entitlementId: string
  creditor: string
  isOpen: boolean
}

const sourceAccount = { account_holder: 'Harbour Bond GmbH', iban: 'DE89370400440532013000', bic: '' }

/** Inserts a distribution of 1.00 EUR with one entitlement, for tests that need the rows but no worker. */
export class DistributionRows extends TenantRows {
  async create(
    accountId: string,
    { status = 'PAYING', entitlement = 'due', creditor = 'Ada Lovelace' }: Partial<RowTerms> = {},
  ): Promise<DistributionIds> {
    const offeringId = await this.fixtures.offering(this.tenantId, { blockchain: 'anvil' })
    const scheduleId = await this.#schedule(offeringId)
    const distributionId = crypto.randomUUID()
    const isCalculated = status !== 'DRAFT'
    await this.installation.rows(
      `insert into cell.distribution (tenant_id, id, offering_id, kind, status, record_at, pay_on, currency,
         rate_per_token, source_account, withholding, schedule_id, period_number, record_block, supply, units_sum,
         total_minor, gross_minor, holder_count, calculated_at, approved_at, created_at, file_count)
       values ($1, $2, $3, 'COUPON', $4, '2026-01-01', '2026-01-02', 'EUR', '1', $5, '{}', $6, 1, 1, 100000000,
               100000000, 100, 100, 1, $7, $8, now(), 1)`,
      [
        this.tenantId,
        distributionId,
        offeringId,
        status,
        JSON.stringify(sourceAccount),
        scheduleId,
        isCalculated ? new Date() : null,
        ['APPROVED', 'PAYING', 'CLOSED'].includes(status) ? new Date() : null,
      ],
    )
    const entitlementId = crypto.randomUUID()
    await this.installation.rows(
      `insert into cell.entitlement (tenant_id, id, distribution_id, address, units, account_id, withholding_percent,
                                     gross_minor, withheld_minor, net_minor, status, changed_at)
       values ($1, $2, $3, $4, 100000000, $5, '0', 100, 0, 100, $6, now())`,
      [this.tenantId, entitlementId, distributionId, randomAddress(), accountId, entitlement],
    )
    const fileId = await this.#file(distributionId, { entitlementId, creditor, isOpen: entitlement === 'due' })
    return { offeringId, distributionId, entitlementId, fileId, scheduleId }
  }

  async #schedule(offeringId: string): Promise<string> {
    const scheduleId = crypto.randomUUID()
    await this.installation.rows(
      `insert into cell.coupon_schedule (tenant_id, id, offering_id, currency, nominal_per_token, rate_percent,
         day_count, business_days, interest_from, first_pays_on, months, matures_on, record_days, draft_days,
         source_account, withholding, created_at)
       values ($1, $2, $3, 'EUR', '1000', '5', '30/360', 'FOLLOWING', '2026-01-01', '2026-07-01', 6, '2031-01-01', 1,
               14, $4, '{}', now())`,
      [this.tenantId, scheduleId, offeringId, JSON.stringify(sourceAccount)],
    )
    return scheduleId
  }

  async #file(distributionId: string, { entitlementId, creditor: name, isOpen }: NewTransferRow): Promise<string> {
    const fileId = crypto.randomUUID()
    const creditor = { name, iban: 'DE02120300000000202051', bic: undefined }
    const sealed = await this.direct.write((tx) =>
      sealEntitlementCreditor(this.direct.vaultOf(tx), { fileId, entitlementId }, creditor),
    )
    await this.installation.rows(
      `insert into cell.distribution_file (tenant_id, id, distribution_id, number, transfer_count, amount_minor,
                                           created_at)
       values ($1, $2, $3, 1, 1, 100, now())`,
      [this.tenantId, fileId, distributionId],
    )
    await this.installation.rows(
      `insert into cell.distribution_transfer (tenant_id, file_id, entitlement_id, creditor, is_open)
       values ($1, $2, $3, $4, $5)`,
      [this.tenantId, fileId, entitlementId, sealed, isOpen],
    )
    return fileId
  }

  /** Writes units of one address from before the record time on, and a finalized block after it. */
  async register(offeringId: string): Promise<void> {
    const [holder, block] = [randomAddress(), randomHash()]
    await this.installation.rows(
      `insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number) values ('anvil', 9, $1, 9)
       on conflict do nothing`,
      [block],
    )
    await this.installation.rows(
      `insert into cell.chain_block (chain, number, hash, parent_hash, timestamp)
       select chain, finalized_number, $1, $1, '2026-06-01' from cell.chain_cursor on conflict do nothing`,
      [block],
    )
    await this.installation.rows(
      `insert into cell.token_log (tenant_id, chain, block_hash, log_index, block_number, block_timestamp,
                                   transaction_hash, offering_id, kind, to_address, units, applied_at)
       values ($1, 'anvil', $2, 0, 1, '2025-01-01', $2, $3, 'transfer', $4, 7, now())`,
      [this.tenantId, block, offeringId, holder],
    )
    await this.installation.rows(
      `insert into cell.holding (tenant_id, offering_id, address, id, units)
       values ($1, $2, $3, gen_random_uuid(), 7),
              ($1, $2, '0x0000000000000000000000000000000000000000', gen_random_uuid(), -7)`,
      [this.tenantId, offeringId, holder],
    )
  }
}

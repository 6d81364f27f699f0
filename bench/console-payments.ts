import { sealPayer } from '../service/src/money/payments/unassigned-payment.view.ts'
import { Vaults } from '../service/src/platform/postgres/vault.ts'
import { ibanTerm } from '../service/src/records/search/search-terms.ts'
import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { ibanOfAccount, nameOfAccount } from './console-accounts.ts'
import { type ConsoleBook, rowIdAtPosition } from './console-rows.ts'
import { withVault } from './orders.ts'

const batch = 2_000

/**
 * Adds payments of persons who have accounts. Half of them are open, and the amount of each is outstanding on many
 * orders.
 */
export async function addUnassignedPayments(
  installation: TestInstallation,
  { tenantId, unassigned, startedAtMs }: ConsoleBook,
): Promise<void> {
  const vaults = new Vaults(installation.config.dataMasterKeys)
  for (let from = 0; from < unassigned; from += batch) {
    const positions = Array.from({ length: Math.min(batch, unassigned - from) }, (_, index) => from + index)
    const ids = positions.map((position) => rowIdAtPosition(startedAtMs + 2, position))
    const sealed = await withVault(installation, { tenantId, vaults }, (vault) =>
      Promise.all(
        positions.map(async (position, index) => {
          const { firstName, lastName } = nameOfAccount(position)
          const payer = { name: `${firstName} ${lastName}`, iban: ibanOfAccount(position), text: 'For my tokens' }
          const [box, [term]] = await Promise.all([
            sealPayer(vault, ids[index] ?? '', payer),
            ibanTerm(vault, payer.iban),
          ])
          return { box, term }
        }),
      ),
    )
    const boxes = sealed.map(({ box }) => box)
    const terms = sealed.map(({ term }) => term)
    await installation.owner(async (owner) => {
      await owner.query(
        `insert into cell.unassigned_payment (tenant_id, id, provider, provider_reference, amount, currency,
                                              received_at, payer, status, unassigned_amount, dismissal_reason,
                                              created_at)
         select $1, id, 'bank_transfer', 'bank-' || position, 12.50 * (1 + position % 400), 'EUR', now(), payer,
                case when position % 2 = 0 then 'open' else 'dismissed' end, 12.50 * (1 + position % 400),
                case when position % 2 = 0 then null else 'Not a purchase.' end, now() - position * interval '1 minute'
         from unnest($2::uuid[], $3::bigint[], $4::bytea[]) as given (id, position, payer)`,
        [tenantId, ids, positions, boxes],
      )
      await owner.query(
        `insert into cell.search_term (tenant_id, kind, term, subject_id)
         select $1, 'unassigned_payment', unnest(array['bank-' || position, iban]), id
         from unnest($2::uuid[], $3::bigint[], $4::text[]) as given (id, position, iban)`,
        [tenantId, ids, positions, terms],
      )
    })
  }
}

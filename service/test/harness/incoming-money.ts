import { type BookedMoney, bookMoney, type IncomingMoney } from '../../src/money/payments/book-money.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { DirectOperations } from './operations.ts'
import type { TestInstallation } from './service.ts'

/** Tells a tenant of money, as a bank statement or a provider does. */
export function tellOfMoney(
  installation: TestInstallation,
  tenantId: string,
  change: Partial<IncomingMoney> = {},
): Promise<BookedMoney> {
  const vaults = new Vaults(installation.config.dataMasterKeys)
  return new DirectOperations(installation, tenantId).write((tx) =>
    bookMoney(tx, vaults.of(tx, tenantId), tenantId, {
      provider: 'bank_transfer',
      reference: crypto.randomUUID(),
      paymentReference: null,
      amount: '125.00',
      currency: 'EUR',
      receivedAt: new Date('2026-07-02T10:00:00Z'),
      payer: { name: 'Ada Lovelace', iban: 'DE02120300000000202051' },
      text: 'for my tokens',
      ...change,
    }),
  )
}

/** Money that names no order, and the id under which it waits. */
export async function incomingMoney(installation: TestInstallation, tenantId: string): Promise<string> {
  const booked = await tellOfMoney(installation, tenantId)
  if (booked.kind !== 'unassigned') throw new Error('money that names no order has found one')
  return booked.id
}

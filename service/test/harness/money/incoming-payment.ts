import { type BookedPayment, bookPayment, type IncomingPayment } from '../../../src/money/payments/book-payment.ts'
import { Money } from '../../../src/platform/base/money.ts'
import { Vaults } from '../../../src/platform/postgres/vault.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

export type ReportedPayment = Partial<Omit<IncomingPayment, 'amount'>> & { amount?: string; currency?: string }

/** Reports a payment to a tenant, as a bank statement or a payment provider does. */
export function reportPayment(
  installation: TestInstallation,
  tenantId: string,
  { amount = '125.00', currency = 'EUR', ...change }: ReportedPayment = {},
): Promise<BookedPayment> {
  const vaults = new Vaults(installation.config.dataMasterKeys)
  return new DirectOperations(installation, tenantId).write((tx) =>
    bookPayment(tx, vaults.of(tx, tenantId), tenantId, {
      provider: 'bank_transfer',
      reference: crypto.randomUUID(),
      paymentReference: null,
      amount: Money.parse(amount, currency),
      receivedAt: new Date('2026-07-02T10:00:00Z'),
      payer: { name: 'Ada Lovelace', iban: 'DE02120300000000202051' },
      text: 'for my tokens',
      ...change,
    }),
  )
}

/** Reports a payment that matches no order. Returns the id of the unassigned payment. */
export async function createUnassignedPayment(installation: TestInstallation, tenantId: string): Promise<string> {
  const booked = await reportPayment(installation, tenantId)
  if (booked.kind !== 'unassigned') throw new Error('a payment without a reference was booked to an order')
  return booked.id
}

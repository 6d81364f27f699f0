import type { ExportSource } from './export-source.ts'
import { exportedAudit } from './exported-audit.sql.ts'
import { exportedHolders } from './exported-holders.ts'
import { exportedOrders } from './exported-orders.sql.ts'
import { exportedPayments } from './exported-payments.sql.ts'
import { exportedRefunds } from './exported-refunds.sql.ts'
import { exportedRegister } from './exported-register.ts'

export const exportKinds = ['orders', 'payments', 'refunds', 'holders', 'audit', 'register'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Everything that can be exported. */
export const exportSources: Readonly<Record<ExportKind, ExportSource>> = {
  orders: exportedOrders,
  payments: exportedPayments,
  refunds: exportedRefunds,
  holders: exportedHolders,
  audit: exportedAudit,
  register: exportedRegister,
}

import { sql } from '../platform/postgres/sql.ts'
import type { WorkKind } from '../records/work/work-kind.ts'

/** Work of the room money: reports of banks and providers that no rule could book. */
export const moneyWork: readonly WorkKind[] = [
  {
    kind: 'unassigned_payment',
    description: 'payments that belong to no order yet, until they are assigned or dismissed',
    duty: 'money',
    sources: [
      {
        database: 'cell',
        from: sql`cell.unassigned_payment`,
        where: ({ tenantId }) => sql`
          unassigned_payment.tenant_id = ${tenantId} and unassigned_payment.status = 'open'`,
        id: sql`unassigned_payment.id`,
        since: { column: sql`unassigned_payment.created_at`, type: 'timestamptz' },
        amount: sql`unassigned_payment.amount`,
        currency: sql`unassigned_payment.currency`,
        name: sql`unassigned_payment.provider_reference`,
        target: 'unassigned_payment',
      },
    ],
  },
  {
    kind: 'statement_entry',
    description: 'entries of bank statements that need attention, until they are resolved',
    duty: 'money',
    sources: [
      {
        database: 'cell',
        from: sql`
          cell.bank_entry
          join cell.bank_statement
            on bank_statement.tenant_id = bank_entry.tenant_id and bank_statement.id = bank_entry.statement_id`,
        where: ({ tenantId }) => sql`bank_entry.tenant_id = ${tenantId} and bank_entry.state = 'needs_attention'`,
        id: sql`bank_entry.id`,
        since: { column: sql`bank_entry.booked_on`, type: 'date' },
        amount: sql`bank_entry.amount`,
        currency: sql`bank_statement.currency`,
        name: sql`bank_entry.note`,
        target: 'statement',
        targetId: sql`bank_entry.statement_id`,
      },
    ],
  },
  {
    kind: 'statement_gap',
    description: 'statements before which one is missing, or that are out of order, until the gap is resolved',
    duty: 'money',
    sources: [
      {
        database: 'cell',
        from: sql`cell.bank_statement`,
        where: ({ tenantId }) => sql`
          bank_statement.tenant_id = ${tenantId} and bank_statement.continuity = 'gap'
          and bank_statement.gap_resolution is null`,
        id: sql`bank_statement.id`,
        since: { column: sql`bank_statement.created_at`, type: 'timestamptz' },
        name: sql`concat_ws(' ', bank_statement.account, bank_statement.currency, bank_statement.sequence)`,
        target: 'statement',
      },
    ],
  },
]

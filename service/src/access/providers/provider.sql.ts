import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ProviderKey, ProviderType } from './provider-directory.sql.ts'

/** Columns of every provider that signs its notifications. Both secrets are encrypted. */
export interface ProviderRow {
  id: string
  kind: string
  name: string
  secret: Buffer
  previousSecret: Buffer | null
  previousSecretEndsAt: Date | null
  createdAt: Date
  disabledAt: Date | null
}

export type SummaryOf<Row extends ProviderRow> = Omit<Row, 'secret' | 'previousSecret'>

export type ProviderTable<Row extends ProviderRow> = ReturnType<typeof providerTable<Row>>

/** Returns the queries of a cell's table of providers. `ownColumns` are those that other types do not have. */
export function providerTable<Row extends ProviderRow>(type: ProviderType, ownColumns: Sql) {
  const table = raw(`cell.${type}`)
  const summaryColumns = sql`
    id, kind, name, previous_secret_ends_at as "previousSecretEndsAt", created_at as "createdAt",
    disabled_at as "disabledAt", ${ownColumns}`
  const one = ({ tenantId, providerId }: ProviderKey) => sql`
    select ${summaryColumns}, secret, previous_secret as "previousSecret" from ${table}
    where tenant_id = ${tenantId} and id = ${providerId}`
  return {
    summaryColumns,
    fingerprint: rowFingerprint(table),
    find: (tx: Transaction, key: ProviderKey) => tx.row<Row>(one(key)),
    lock: (tx: Transaction, key: ProviderKey) => tx.row<Row>(sql`${one(key)} for no key update`),
    setSecrets: async (
      tx: Transaction,
      { tenantId, providerId }: ProviderKey,
      { secret, previousSecret, previousSecretEndsAt }: Pick<Row, 'secret' | 'previousSecret' | 'previousSecretEndsAt'>,
    ) => {
      await tx.rows(sql`
        update ${table} set secret = ${secret}, previous_secret = ${previousSecret},
                            previous_secret_ends_at = ${previousSecretEndsAt}
        where tenant_id = ${tenantId} and id = ${providerId}`)
    },
    setDisabled: async (tx: Transaction, { tenantId, providerId }: ProviderKey, now: Date) => {
      await tx.rows(sql`
        update ${table} set disabled_at = ${now} where tenant_id = ${tenantId} and id = ${providerId}`)
    },
    /** Lets one transaction of the tenant at a time create a provider. */
    lockAll: async (tx: Transaction, tenantId: string) => {
      const lockKey = `${type.replace('_', ' ')}s ${tenantId}`
      await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${lockKey}, 0))`)
    },
    countEnabled: async (tx: Transaction, tenantId: string) => {
      const found = await tx.row<{ count: number }>(sql`
        select count(*)::int as count from ${table} where tenant_id = ${tenantId} and disabled_at is null`)
      return found?.count ?? 0
    },
    /** Sorts by creation time, because provider ids are random. */
    page: (tx: Transaction, tenantId: string, page: KeysetPage) =>
      countedPage<SummaryOf<Row>>(tx, page, {
        columns: summaryColumns,
        from: table,
        where: sql`tenant_id = ${tenantId}`,
        id: sql`id`,
        keys: { created_at: { column: sql`created_at`, type: 'timestamptz' } },
      }),
  }
}

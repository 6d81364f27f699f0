import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { scopes } from '../src/platform/api/declare/scopes.ts'
import { accountTypes, approvalStatuses } from '../src/sales/accounts/account.schema.ts'
import { offeringLanguages, offeringTypes } from '../src/sales/offerings/offering.schema.ts'
import { orderStatuses, paymentProviders } from '../src/sales/orders/order.schema.ts'
import { walletProviders, walletStatuses, walletTypes } from '../src/sales/wallets/wallet.schema.ts'
import { transactionStatuses, transactionTypes } from '../src/tokens/balances/balance.schema.ts'
import { dumpSchema } from './harness/installation/schema-dump.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

describe('schema', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())

  test('schema.sql equals the schema after all migrations; npm run generate -- schema regenerates it', async (context) => {
    const schema = await dumpSchema()
    if (schema === undefined) return context.skip('the server is not PostgreSQL 15')
    assert.equal(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8'), schema)
  })

  /** Returns the values that a check constraint on a column allows. */
  async function allowed(table: string, column: string): Promise<string[]> {
    const rows = await installation.rows<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
         where contype = 'c' and conrelid = $1::regclass and pg_get_constraintdef(oid) ~ ('\\m' || $2 || '\\M.*ARRAY')`,
      [table, column],
    )
    return rows.flatMap(({ definition }) =>
      [...definition.matchAll(/'([^']+)'::text/g)].map(([, value]) => value ?? ''),
    )
  }

  for (const [table, column, values] of [
    ['directory.credential', 'scopes', scopes],
    ['cell.offering', 'type', offeringTypes],
    ['cell.offering', 'status', ['DRAFT', 'OPEN', 'PAUSED', 'CLOSED']],
    ['cell.offering_name', 'language', offeringLanguages],
    ['cell.account', 'type', accountTypes],
    ['cell.account', 'kyc_status', approvalStatuses],
    ['cell.account', 'kyb_status', approvalStatuses],
    ['cell.wallet', 'provider', walletProviders],
    ['cell.wallet', 'type', walletTypes],
    ['cell.wallet', 'status', walletStatuses],
    ['cell.token_transaction', 'transaction_type', transactionTypes],
    ['cell.token_transaction', 'status', transactionStatuses],
    ['cell.token_order', 'status', orderStatuses],
    ['cell.token_order', 'payment_provider', paymentProviders],
  ] as const)
    test(`R109: the code and the database allow the same values for ${table}.${column}`, async () => {
      assert.deepEqual((await allowed(table, column)).toSorted(), [...values].toSorted())
    })
})

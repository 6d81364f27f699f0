import { newRowId } from '../service/src/platform/base/ids.ts'
import { inTransaction } from '../service/src/platform/postgres/run-transaction.ts'
import { Vaults } from '../service/src/platform/postgres/vault.ts'
import { encryptionContext } from '../service/src/sales/accounts/account.view.ts'
import { draftOffering } from '../service/src/sales/offerings/operator/draft-offering.ts'
import { openDraft } from '../service/src/sales/offerings/operator/open-draft.ts'
import { individual } from '../service/test/harness/data/bodies.ts'
import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'

export interface OrderBook {
  readonly tenantId: string
  readonly offeringId: string
  readonly accountIds: readonly string[]
  readonly orders: number
}

export type Owner = Parameters<Parameters<TestInstallation['owner']>[0]>[0]

/**
 * Gives a new or an empty tenant one offering and its orders, as if they had all come through the API: positions
 * without gaps, matching counters, encrypted bank accounts. Inserts them as the owner, in bulk.
 */
export async function loadOrderBook(
  installation: TestInstallation,
  { accounts, orders, ...given }: { accounts: number; orders: number; tenantId?: string },
): Promise<OrderBook> {
  const tenantId = given.tenantId ?? (await installation.createTenant('Order book'))
  const offeringId = await addOffering(installation, tenantId)
  const accountIds = await addAccounts(installation, tenantId, accounts)
  const book = { tenantId, offeringId, accountIds, orders }
  await installation.owner((owner) =>
    withoutIndexes(owner, 'cell.token_order', { keys: 'drop' }, async () => {
      // Two halves in parallel: the checks and conversions of one keep a core busy.
      const half = Math.floor(orders / 2)
      await Promise.all([addOrders(installation, book, 0, half), addOrders(installation, book, half, orders)])
    }),
  )
  await installation.owner(async (owner) => {
    await setCounters(owner, { ...book, accounts })
    await setOrderCounts(owner, book)
    await owner.query('vacuum (freeze, analyze)')
    await owner.query('checkpoint')
  })
  return book
}

/** Returns the id of the order at this position, so that pgbench can compute it. */
export function orderIdAt(position: number): string {
  return uuidOf(position.toString(16).padStart(32, '0'))
}

/** Formats 32 hexadecimal digits. */
export function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns the same in SQL, for an expression of the position. */
export function orderIdExpression(position: string): string {
  return `lpad(to_hex(${position}), 32, '0')::uuid`
}

export async function addOffering({ databases }: TestInstallation, tenantId: string): Promise<string> {
  return inTransaction(databases.directory, { access: 'write', identity: { tenantId } }, async (tx) => {
    const offeringId = await draftOffering(tx, tenantId, {
      name: 'Harbour Bond',
      symbol: 'HARB',
      blockchain: 'ethereum',
      tokenization_platform: 'permissioned-token',
      decimals: 8,
      type: 'DEBT_TOKENIZED',
      price_per_token: '12.50',
      currency: 'EUR',
      total_units: '50000000000000000000',
      collection_account: collectionAccount,
    })
    await openDraft(tx, { tenantId, offeringId }, new Date())
    return offeringId
  })
}

export const collectionAccount = {
  account_holder: 'Harbour Issuer GmbH',
  bank: 'Testbank',
  bic: 'COBADEFFXXX',
  iban: 'DE89370400440532013000',
  currency: 'EUR',
}

/** Encrypts each bank account for its account, as the API does. */
export async function addAccounts(installation: TestInstallation, tenantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newRowId)
  for (let from = 0; from < count; from += accountBatch)
    await addAccountBatch(installation, tenantId, { ids: ids.slice(from, from + accountBatch), from })
  return ids
}

// All bank accounts of a batch are one parameter of a statement.
const accountBatch = 20_000

async function addAccountBatch(
  installation: TestInstallation,
  tenantId: string,
  { ids, from }: { ids: readonly string[]; from: number },
): Promise<void> {
  const vaults = new Vaults(installation.config.dataMasterKeys)
  const bankAccounts = await withVault(installation, { tenantId, vaults }, async (vault) => {
    const boxes: Buffer[] = []
    for (const id of ids)
      boxes.push(await vault.seal(JSON.stringify(individual.bank_account), encryptionContext(id, 'bank_account')))
    return boxes
  })
  await installation.owner((owner) =>
    owner.query(
      `insert into cell.account (tenant_id, id, position, type, email, email_confirmed, is_beneficiary, profile,
                                 bank_account, kyc_status, kyb_status)
       select $1, id, $5::bigint + ordinal - 1, 'INDIVIDUAL', 'ada' || $5::bigint + ordinal || '@example.com', true, true,
              $2::jsonb || jsonb_build_object('lastName', 'Lovelace ' || $5::bigint + ordinal), bank_account,
              'APPROVED', 'NEW'
       from unnest($3::uuid[], $4::bytea[]) with ordinality as given (id, bank_account, ordinal)`,
      [tenantId, { gender: '', ...individual.individual }, ids, bankAccounts, from],
    ),
  )
}

/** Encrypts values of a tenant in one transaction. */
export function withVault<Result>(
  { databases }: TestInstallation,
  { tenantId, vaults }: { tenantId: string; vaults: Vaults },
  work: (vault: ReturnType<Vaults['of']>) => Promise<Result>,
): Promise<Result> {
  const options = { access: 'write', identity: { tenantId } } as const
  return inTransaction(databases.directory, options, (tx) => work(vaults.of(tx, tenantId)))
}

/** Adjacent orders belong to distant accounts, and one in three is paid. */
async function addOrders(
  installation: TestInstallation,
  { tenantId, offeringId, accountIds }: OrderBook,
  from: number,
  to: number,
): Promise<void> {
  await installation.owner((owner) =>
    owner.query(
      `insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position,
                                     status, units, price_per_token, total_amount, paid_amount, currency,
                                     payment_provider, payment_bank_account, paid_at, payment_reference,
                                     payment_due_at)
       select account.tenant_id, ${orderIdExpression('at')}, $2, account.id, at, at / $3::bigint,
              case at % 3 when 0 then 'PAID' else 'ORDERED' end, ${unitsOfOrder}, 12.50, 12.50,
              case at % 3 when 0 then 12.50 else 0 end, 'EUR', 'bank_transfer', $4::jsonb,
              case at % 3 when 0 then timestamptz '2026-07-02 10:00:00Z' end, 'RF' || at,
              timestamptz '2099-07-02 10:00:00Z'
       from generate_series($5::bigint, $6::bigint - 1) at
       join cell.account on account.tenant_id = $1 and account.position = at * ${stride} % $3::bigint`,
      [tenantId, offeringId, accountIds.length, collectionAccount, from, to],
    ),
  )
}

export const unitsOfOrder = 100_000_000
// A prime, so that consecutive orders visit all accounts.
export const stride = 7919

async function setOrderCounts(owner: Owner, { tenantId }: OrderBook): Promise<void> {
  await owner.query(
    `update cell.account set order_count = counted.orders
     from (select account_id, count(*) as orders from cell.token_order where tenant_id = $1 group by account_id) counted
     where account.tenant_id = $1 and account.id = counted.account_id`,
    [tenantId],
  )
}

/** Sets the counters of a tenant and its offering to those of its rows. */
export async function setCounters(
  owner: Owner,
  book: { tenantId: string; offeringId: string; accounts: number; orders: number },
): Promise<void> {
  const { tenantId, offeringId, accounts, orders } = book
  await owner.query('update cell.tenant set account_count = $2 where id = $1', [tenantId, accounts])
  await owner.query(
    `update cell.offering set order_count = $3::bigint, reserved_units = $3::bigint * ${unitsOfOrder}::numeric
     where tenant_id = $1 and id = $2`,
    [tenantId, offeringId, orders],
  )
}

/**
 * Drops the indexes and constraints of a table and creates them again afterwards: much faster than maintaining them.
 * With `keys: 'stay'` its constraints and the foreign keys of other tables stay, for rows that are inserted in the
 * order of their primary key.
 */
export async function withoutIndexes(
  owner: Owner,
  table: string,
  { keys }: { keys: 'stay' | 'drop' },
  work: () => Promise<void>,
): Promise<void> {
  // Includes foreign keys of other tables. Foreign keys are dropped first and created last.
  const constraints = await owner.query<{ of: string; name: string; definition: string }>(
    `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where ((conrelid = $1::regclass and contype in ('p', 'u', 'f')) or (confrelid = $1::regclass and contype = 'f'))
       and $2 = 'drop'
     order by contype`,
    [table, keys],
  )
  const indexes = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  for (const { of, name } of constraints.rows) await owner.query(`alter table ${of} drop constraint ${name}`)
  for (const { name } of indexes.rows) await owner.query(`drop index ${name}`)
  await work()
  for (const { definition } of indexes.rows) await owner.query(definition)
  for (const { of, name, definition } of constraints.rows.toReversed())
    await owner.query(`alter table ${of} add constraint ${name} ${definition}`)
}

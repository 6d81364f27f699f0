import type pg from 'pg'
import { ChainRows } from '../data/chain-rows.ts'
import { createDocument } from '../data/documents.ts'
import { createEligibleAccount } from '../data/eligibility.ts'
import { ExportRows } from '../data/export-rows.ts'
import { Fixtures } from '../data/fixtures.ts'
import { WebhookRows } from '../data/webhook-rows.ts'
import { createWorld } from '../data/world.ts'
import { ApplicationClient } from '../installation/application-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { camt053, importDirectly } from '../money/camt053.ts'
import { DistributionRows } from '../money/distribution-rows.ts'
import { createUnassignedPayment } from '../money/incoming-payment.ts'
import { createQueuedCheck } from '../servers/kyc-provider.ts'
import { createProvider } from '../servers/payment-provider.ts'
import { until } from '../wait.ts'

export interface TenantTable {
  name: string
  /** The column that identifies the tenant of a row. */
  owner: 'tenant_id' | 'id'
  columns: string[]
}

/** Tables without rows of tenants, and why. */
const tablesWithoutTenant = [
  'base.migration', // applied migrations
  'base.restoration', // restores of the whole database, invisible to the roles of the service
  'directory.migration',
  'cell.migration',
  'directory.cache_invalidation', // ids only
  'directory.access_stamp', // ids only
  'directory.tenant_move', // moves between cells, invisible to the roles of the service
  'directory.cell', // the databases of the installation
  'directory.cell_process', // processes and the cells that they serve
  'directory.cell_lease',
  'directory.operator_identity', // persons, who may run several tenants; tested apart
  'directory.passkey',
  'directory.used_challenge',
  'directory.device_authorization', // devices that ask before their tenant is known; visible only with a code
  'cell.identity', // the name of the cell
  'cell.chain_cursor', // public data of a chain: block numbers, hashes and addresses
  'cell.chain_block',
  'cell.chain_status',
  'cell.indexed_token',
]

/** Two tenants with a row in every table, and a connection with the role of the application. */
export class PopulatedTenants {
  readonly installation: TestInstallation
  readonly tables: readonly TenantTable[]
  readonly a: string
  readonly b: string
  readonly #application: ApplicationClient

  private constructor(
    installation: TestInstallation,
    [a, b]: readonly [string, string],
    tables: readonly TenantTable[],
    application: ApplicationClient,
  ) {
    this.installation = installation
    this.a = a
    this.b = b
    this.tables = tables
    this.#application = application
  }

  /** Creates them, by default in a new installation, which `end` removes. */
  static async create(installation?: TestInstallation): Promise<PopulatedTenants> {
    return PopulatedTenants.#in(installation ?? (await TestInstallation.create()))
  }

  static async #in(installation: TestInstallation): Promise<PopulatedTenants> {
    const api = await installation.startApi()
    const populated = [await populate(installation, api, 'A'), await populate(installation, api, 'B')] as const
    // Numbers the events so far. The events of the cancellation below, and of its refund, stay in the outbox.
    await installation.numberEvents()
    for (const { tenantId, orderId } of populated) {
      await new Fixtures(installation).bringTo(tenantId, orderId, 'CANCELLED')
      await (await installation.operatorApi()).call(tenantId, 'POST', '/payouts', {})
      await installation.rows(
        `insert into cell.payout_stop (tenant_id, restored_to, statements_until) values ($1, now(), now())`,
        [tenantId],
      )
      // Inserted after the cancellation, which removes the blockers of an order.
      await installation.rows(
        `insert into cell.order_blocker (tenant_id, code, order_id) values ($1, 'mint_on_hold', $2)`,
        [tenantId, orderId],
      )
    }
    await until('requests are in the request log', async () => {
      const logged = await installation.rows('select from cell.request_log group by tenant_id')
      return logged.length === populated.length
    })
    const ids = [populated[0].tenantId, populated[1].tenantId] as const
    const tables = await tenantTables(installation)
    return new PopulatedTenants(installation, ids, tables, await ApplicationClient.connect(installation))
  }

  get asApplication(): pg.Client {
    return this.#application.client
  }

  /** Runs work with the application role in a transaction of this tenant, or of no tenant, and rolls it back. */
  asTenant<Result>(tenantId: string | undefined, work: () => Promise<Result>): Promise<Result> {
    return this.#application.asTenant(tenantId, work)
  }

  /** Counts the rows that a transaction without a tenant and with this id sees, in each table with any. */
  async visibleWith(present: string, id: string): Promise<Record<string, number | null>> {
    const visible: Record<string, number | null> = {}
    await this.asTenant(undefined, async () => {
      await this.asApplication.query(`select ${present}`, [id])
      const names = this.tables.map(({ name }) => name)
      for (const name of [...names, 'directory.operator_identity', 'directory.passkey'])
        visible[name] = (await this.asApplication.query(`select from ${name}`)).rowCount
    })
    return Object.fromEntries(Object.entries(visible).filter(([, count]) => count))
  }

  async end(): Promise<void> {
    await this.#application.end()
    await this.installation.end()
  }
}

/** Creates a tenant with a row in every table. */
async function populate(
  installation: TestInstallation,
  api: RunningApi,
  name: string,
): Promise<{ tenantId: string; orderId: string }> {
  const world = await createWorld(installation, api, name)
  const { tenantId, orderId } = world
  const { token, userId } = await installation.createOperator(tenantId)
  await (await installation.operatorApi()).callWith(token, 'POST', '/duty-pairs', { forbidden: [] })
  await createInvitation(installation, tenantId, userId)
  const credential = await installation.issueCredential(tenantId)
  await api.auth(credential)
  await api.auth({ ...credential, clientSecret: 'wrong' })
  await new Fixtures(installation).pay(tenantId, orderId)
  await createUnassignedPayment(installation, tenantId)
  await importDirectly(installation, tenantId, camt053({ entries: [{ amount: '1.00' }] }))
  const chain = new ChainRows(installation, tenantId)
  await chain.holder(world)
  await chain.seen(world.offeringId)
  await new ExportRows(installation, tenantId).done()
  await chain.action()
  await api.call('POST', `/simulations/accounts/${world.accountId}/wallets`, { token: world.token, body: {} })
  await new WebhookRows(installation, tenantId).createDelivery()
  const { id: providerId } = await createProvider(installation, tenantId)
  await installation.rows('insert into cell.payment_provider_use values ($1, $2, now())', [tenantId, providerId])
  await createProvider(installation, tenantId)
  await createApprovedCheck(installation, world)
  await createEligibleAccount(installation, world)
  await new DistributionRows(installation, tenantId).create(world.accountId)
  await createDocument(installation, world)
  await noteAndSavedView(installation, token, orderId)
  return { tenantId, orderId }
}

/** Creates an accepted check, so that there is a row for the account's approval, too. */
async function createApprovedCheck(
  installation: TestInstallation,
  { tenantId, accountId }: { tenantId: string; accountId: string },
): Promise<void> {
  const { checkId } = await createQueuedCheck(installation, { tenantId, accountId }, 'approved')
  await (await installation.operatorApi()).call(tenantId, 'POST', `/kyc-checks/${checkId}/accept`, { reason: 'seen' })
}

async function noteAndSavedView(installation: TestInstallation, token: string, orderId: string): Promise<void> {
  const operators = await installation.operatorApi()
  await operators.callWith(token, 'POST', '/notes', { subject_type: 'order', subject_id: orderId, text: 'Called.' })
  const view = { name: 'Paid', list: 'listOrders', filters: [], is_shared: true }
  await operators.callWith(token, 'POST', '/saved-views', view)
}

export async function createInvitation(
  installation: TestInstallation,
  tenantId: string,
  userId: string,
): Promise<string> {
  const id = crypto.randomUUID()
  await installation.rows(
    `insert into directory.invitation (tenant_id, id, user_id, kind, pepper_id, mac, expires_at)
       values ($1, $2, $3, 'invitation', 'a', sha256('x'), now() + interval '3 days')`,
    [tenantId, id, userId],
  )
  return id
}

async function tenantTables(installation: TestInstallation): Promise<TenantTable[]> {
  const rows = await installation.rows<{ name: string; columns: string[] }>(`
      select format('%I.%I', nspname, relname) as name,
             (select array_agg(attname::text order by attnum) from pg_attribute
              where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
              and attidentity = '') as columns
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('base', 'directory', 'cell') and relkind in ('r', 'p') and not relispartition
      order by 1`)
  return rows
    .filter(({ name }) => !tablesWithoutTenant.includes(name))
    .map(({ name, columns }) => ({ name, columns, owner: columns.includes('tenant_id') ? 'tenant_id' : 'id' }))
}

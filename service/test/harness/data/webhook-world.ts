import type { OperatorCellOperation } from '../../../src/platform/api/declare/operation.ts'
import { Placement } from '../../../src/platform/postgres/cells/placement.ts'
import { inTenantTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import { sql } from '../../../src/platform/postgres/sql.ts'
import { type EventData, recordEvent } from '../../../src/records/events/event.sql.ts'
import type { EventType } from '../../../src/records/events/event-types.ts'
import { disableLockedEndpoint, enableLockedEndpoint, markVerified } from '../../../src/webhooks/endpoint.sql.ts'
import { createWebhookEndpoint } from '../../../src/webhooks/operator/create-webhook-endpoint.ts'
import { getWebhookEndpoint } from '../../../src/webhooks/operator/get-webhook-endpoint.ts'
import { listWebhookDeliveries } from '../../../src/webhooks/operator/list-webhook-deliveries.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** Creates a verified endpoint. Disabling it in the same transaction drops the verification and fences off its job. */
const createVerified: typeof createWebhookEndpoint.run = async (input, context) => {
  const created = await createWebhookEndpoint.run(input, context)
  const key = { tenantId: context.tenantId, endpointId: created.id }
  await disableLockedEndpoint(context.tx, key, 'OPERATOR')
  await enableLockedEndpoint(context.tx, key)
  await markVerified(context.tx, key)
  await context.tx.rows(sql`
    update cell.webhook_delivery set state = 'DELIVERED'
    where tenant_id = ${key.tenantId} and endpoint_id = ${key.endpointId}`)
  return created
}

export interface TestEndpoint {
  id: string
  secret: string
}

/** A tenant with webhook endpoints, for which a test records events. */
export class WebhookWorld {
  readonly tenantId: string
  readonly installation: TestInstallation
  readonly #direct: DirectOperations
  readonly #tenantDatabases

  private constructor(installation: TestInstallation, tenantId: string) {
    this.installation = installation
    this.tenantId = tenantId
    this.#direct = new DirectOperations(installation, tenantId)
    this.#tenantDatabases = { databases: installation.databases, placement: new Placement(installation.databases) }
  }

  static async create(installation: TestInstallation, name = 'T', cell = 'main'): Promise<WebhookWorld> {
    return new WebhookWorld(installation, await installation.createTenant(name, { cell }))
  }

  /** Returns the webhooks of an existing tenant. */
  static of(installation: TestInstallation, tenantId: string): WebhookWorld {
    return new WebhookWorld(installation, tenantId)
  }

  /** Creates an endpoint that is verified from the start, so that tests of other things need no receiver. */
  endpoint(url: string, types?: readonly EventType[]): Promise<TestEndpoint> {
    const body = { url, ...(types ? { event_types: types } : {}) }
    return this.#direct.run({ ...createWebhookEndpoint, run: createVerified }, { body })
  }

  /** Creates an endpoint as an admin does: it gets events once it echoes the challenge. */
  unverifiedEndpoint(url: string): Promise<TestEndpoint> {
    return this.#direct.run(createWebhookEndpoint, { body: { url } })
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of any result
  run(operation: OperatorCellOperation, params: Record<string, string>, body?: unknown): Promise<any> {
    return this.#direct.run(operation, { params, body })
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  read({ id }: TestEndpoint): Promise<any> {
    return this.run(getWebhookEndpoint, { endpointId: id })
  }

  /** Returns all deliveries except verifications. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  async deliveries({ id }: TestEndpoint): Promise<any[]> {
    const page = await this.#direct.run(listWebhookDeliveries, {
      params: { endpointId: id },
      query: { limit: 50, direction: 'asc' },
    })
    return page.results.filter(({ event_type: type }: { event_type: string }) => type !== 'endpoint.verification')
  }

  /** Records an event and returns its id. With `isRolledBack` the transaction is rolled back. */
  async recordEvent(type: EventType = 'order.paid', data: EventData = {}, isRolledBack = false): Promise<string> {
    const id = crypto.randomUUID()
    const { tenantId } = this
    try {
      await inTenantTransaction(this.#tenantDatabases, { tenantId, access: 'write' }, async (tx) => {
        await recordEvent(tx, tenantId, { type, data }, id)
        if (isRolledBack) throw new Error('rolled back on purpose')
      })
    } catch (error) {
      if (!isRolledBack) throw error
    }
    return id
  }
}

import type { OperatorCellOperation } from '../../src/platform/api/declare/operation.ts'
import { Placement } from '../../src/platform/db/placement.ts'
import { inTenantTransaction } from '../../src/platform/db/tenant-transaction.ts'
import { type EventData, recordEvent } from '../../src/records/events/event.sql.ts'
import type { EventType } from '../../src/records/events/event-types.ts'
import { createWebhookEndpoint } from '../../src/webhooks/operator/create-webhook-endpoint.ts'
import { getWebhookEndpoint } from '../../src/webhooks/operator/get-webhook-endpoint.ts'
import { listWebhookDeliveries } from '../../src/webhooks/operator/list-webhook-deliveries.ts'
import { DirectOperations } from './operations.ts'
import type { TestInstallation } from './service.ts'

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

  static async create(installation: TestInstallation, name = 'T'): Promise<WebhookWorld> {
    return new WebhookWorld(installation, await installation.createTenant(name))
  }

  endpoint(url: string, types?: readonly EventType[]): Promise<TestEndpoint> {
    const body = { url, ...(types ? { event_types: types } : {}) }
    return this.#direct.run(createWebhookEndpoint, { body })
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read members of any result
  run(operation: OperatorCellOperation, params: Record<string, string>, body?: unknown): Promise<any> {
    return this.#direct.run(operation, { params, body })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the same
  read({ id }: TestEndpoint): Promise<any> {
    return this.run(getWebhookEndpoint, { endpointId: id })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the same
  async deliveries({ id }: TestEndpoint): Promise<any[]> {
    const page = await this.#direct.run(listWebhookDeliveries, {
      params: { endpointId: id },
      query: { limit: 50, direction: 'asc' },
    })
    return page.results
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

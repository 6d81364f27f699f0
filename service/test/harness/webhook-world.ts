import type { OperatorOperation } from '../../src/platform/api/declare/operation.ts'
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

/** A tenant whose admins have webhook endpoints, and in which things happen. */
export class WebhookWorld {
  readonly tenantId: string
  readonly installation: TestInstallation
  readonly #direct: DirectOperations
  readonly #places

  private constructor(installation: TestInstallation, tenantId: string) {
    this.installation = installation
    this.tenantId = tenantId
    this.#direct = new DirectOperations(installation, tenantId)
    this.#places = { databases: installation.databases, placement: new Placement(installation.databases) }
  }

  static async create(installation: TestInstallation, name = 'T'): Promise<WebhookWorld> {
    return new WebhookWorld(installation, await installation.createTenant(name))
  }

  endpoint(url: string, types?: readonly EventType[]): Promise<TestEndpoint> {
    const body = { url, ...(types ? { event_types: types } : {}) }
    return this.#direct.run(createWebhookEndpoint, { body })
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  run(operation: OperatorOperation, params: Record<string, string>, body?: unknown): Promise<any> {
    return this.#direct.run(operation, { params, body })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the same
  read({ id }: TestEndpoint): Promise<any> {
    return this.run(getWebhookEndpoint, { endpointId: id })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the same
  async deliveries({ id }: TestEndpoint): Promise<any[]> {
    const answer = await this.#direct.run(listWebhookDeliveries, {
      params: { endpointId: id },
      query: { limit: 50, direction: 'asc' },
    })
    return answer.results
  }

  /** Something happens, or, where it is undone, nothing. Tells the id of the event. */
  async happen(type: EventType = 'order.paid', data: EventData = {}, isUndone = false): Promise<string> {
    const id = crypto.randomUUID()
    const { tenantId } = this
    try {
      await inTenantTransaction(this.#places, { tenantId, access: 'write' }, async (tx) => {
        await recordEvent(tx, tenantId, { type, data }, id)
        if (isUndone) throw new Error('undone on purpose')
      })
    } catch (error) {
      if (!isUndone) throw error
    }
    return id
  }
}

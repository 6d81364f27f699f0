import { createWebhookEndpoint } from '../../src/webhooks/operator/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../src/webhooks/operator/disable-webhook-endpoint.ts'
import { pingWebhookEndpoint } from '../../src/webhooks/operator/ping-webhook-endpoint.ts'
import { DirectOperations } from './operations.ts'
import type { TestInstallation } from './service.ts'

/** What a tenant has of webhooks, for tests that are about rows and not about receivers. Nothing is sent. */
export class WebhookRows {
  readonly #direct: DirectOperations

  constructor(installation: TestInstallation, tenantId: string) {
    this.#direct = new DirectOperations(installation, tenantId)
  }

  /** An endpoint, and a message to it. */
  async delivered(): Promise<{ endpointId: string; eventId: string }> {
    const body = { url: 'https://example.com/webhooks' }
    const { id: endpointId } = await this.#direct.run(createWebhookEndpoint, { body })
    const { event_id: eventId } = await this.#direct.run(pingWebhookEndpoint, { params: { endpointId } })
    return { endpointId, eventId }
  }

  async disable(endpointId: string): Promise<void> {
    await this.#direct.run(disableWebhookEndpoint, { params: { endpointId } })
  }
}

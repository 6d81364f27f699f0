import { createWebhookEndpoint } from '../../../src/webhooks/operator/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../../src/webhooks/operator/disable-webhook-endpoint.ts'
import { pingWebhookEndpoint } from '../../../src/webhooks/operator/ping-webhook-endpoint.ts'
import { TenantRows } from './tenant-rows.ts'

/** Webhook rows of a tenant, for tests that do not need a receiver. No worker runs, so nothing is sent. */
export class WebhookRows extends TenantRows {
  /** Creates an endpoint and a pending delivery. */
  async createDelivery(): Promise<{ endpointId: string; eventId: string }> {
    const body = { url: 'https://example.com/webhooks' }
    const { id: endpointId } = await this.direct.run(createWebhookEndpoint, { body })
    const { event_id: eventId } = await this.direct.run(pingWebhookEndpoint, { params: { endpointId } })
    return { endpointId, eventId }
  }

  async disable(endpointId: string): Promise<void> {
    await this.direct.run(disableWebhookEndpoint, { params: { endpointId } })
  }
}

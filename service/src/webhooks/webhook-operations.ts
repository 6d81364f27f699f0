import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { createWebhookEndpoint } from './operator/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from './operator/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from './operator/enable-webhook-endpoint.ts'
import { getWebhookDelivery } from './operator/get-webhook-delivery.ts'
import { getWebhookEndpoint } from './operator/get-webhook-endpoint.ts'
import { listWebhookDeliveries } from './operator/list-webhook-deliveries.ts'
import { listWebhookEndpoints } from './operator/list-webhook-endpoints.ts'
import { pingWebhookEndpoint } from './operator/ping-webhook-endpoint.ts'
import { resendWebhookDelivery } from './operator/resend-webhook-delivery.ts'
import { resendWebhookEvents } from './operator/resend-webhook-events.ts'
import { rotateWebhookSecret } from './operator/rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from './operator/update-webhook-endpoint.ts'

/** Operations on the endpoints of integrators and on their deliveries. */
export const webhookOperations: readonly OperatorOperation[] = [
  createWebhookEndpoint, //            POST  /webhook-endpoints
  listWebhookEndpoints, //             GET   /webhook-endpoints
  getWebhookEndpoint, //               GET   /webhook-endpoints/:endpointId
  updateWebhookEndpoint, //            PATCH /webhook-endpoints/:endpointId
  disableWebhookEndpoint, //           POST  /webhook-endpoints/:endpointId/disable
  enableWebhookEndpoint, //            POST  /webhook-endpoints/:endpointId/enable
  pingWebhookEndpoint, //              POST  /webhook-endpoints/:endpointId/ping
  resendWebhookEvents, //              POST  /webhook-endpoints/:endpointId/resend
  rotateWebhookSecret, //              POST  /webhook-endpoints/:endpointId/rotate
  listWebhookDeliveries, //            GET   /webhook-endpoints/:endpointId/deliveries
  getWebhookDelivery, //               GET   /webhook-endpoints/:endpointId/deliveries/:eventId
  resendWebhookDelivery, //            POST  /webhook-endpoints/:endpointId/deliveries/:eventId/resend
]

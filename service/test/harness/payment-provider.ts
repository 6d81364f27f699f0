import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { createPaymentProvider } from '../../src/money/payment-providers/operator/create-payment-provider.ts'
import { placePaymentProvider } from '../../src/money/payment-providers/place-payment-provider.job.ts'
import { DirectOperations } from './operations.ts'
import type { TestInstallation } from './service.ts'

export interface TestProvider {
  id: string
  secret: string
}

export const stripeSecret = 'whsec_test0123456789abcdef0123456789abcdef'

/** A provider that is in the directory already: what the worker does a moment later is done here. */
export async function createProvider(
  installation: TestInstallation,
  tenantId: string,
  body: object = { kind: 'standard', name: `p-${crypto.randomUUID().slice(0, 8)}` },
): Promise<TestProvider> {
  const direct = new DirectOperations(installation, tenantId)
  const { id, secret } = await direct.run(createPaymentProvider, { body })
  await placePaymentProvider.run({ tenant_id: tenantId, provider_id: id } as never, direct.databases as never)
  return { id, secret: secret ?? stripeSecret }
}

/** Signed by Stripe's published scheme, written down anew. */
export function stripeHeaders(body: string, secret: string, at = Date.now()): Record<string, string> {
  const t = Math.floor(at / 1000)
  return { 'stripe-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}` }
}

/** Signed by the reference library of Standard Webhooks. */
export function standardHeaders(body: string, secret: string, at = Date.now()): Record<string, string> {
  const id = `msg_${crypto.randomUUID()}`
  const moment = new Date(at)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, moment, body),
  }
}

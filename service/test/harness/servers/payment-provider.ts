import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { addPaymentProviderToDirectory } from '../../../src/access/providers/add-provider-to-directory.job.ts'
import { createPaymentProvider } from '../../../src/money/payment-providers/operator/create-payment-provider.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

export interface TestProvider {
  id: string
  secret: string
}

export const stripeSecret = 'whsec_test0123456789abcdef0123456789abcdef'

/** Creates a provider and runs the job that adds it to the directory, so that no worker is needed. */
export async function createProvider(
  installation: TestInstallation,
  tenantId: string,
  body: object = { kind: 'standard', name: `p-${crypto.randomUUID().slice(0, 8)}` },
): Promise<TestProvider> {
  const direct = new DirectOperations(installation, tenantId)
  const { id, secret } = await direct.run(createPaymentProvider, { body })
  await addPaymentProviderToDirectory.run({ tenant_id: tenantId, provider_id: id }, direct.databases)
  return { id, secret: secret ?? stripeSecret }
}

/** Signs by Stripe's published scheme, written here independently of the code under test. */
export function stripeHeaders(body: string, secret: string, at = Date.now()): Record<string, string> {
  const t = Math.floor(at / 1000)
  return { 'stripe-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}` }
}

/** Signs with the reference library of Standard Webhooks. */
export function standardHeaders(body: string, secret: string, at = Date.now()): Record<string, string> {
  const id = `msg_${crypto.randomUUID()}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  }
}

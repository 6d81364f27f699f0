import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExampleClient } from './example-client.ts'
import { exampleIban } from './example-offerings.ts'

const dayMs = 86_400_000
/** Longest wait for a worker, such as to make a new provider known to the API. */
const workerMsMax = 20_000
/** Longest wait for the mints of the bond: some blocks after the statement is matched. */
const mintMsMax = 120_000

const source_account = { account_holder: 'Harbour Issuer GmbH', iban: exampleIban, bic: '' }

/** Creates a transfer that waits for an operator. Its seller has units, so the bond must be minted first. */
export async function createTransferRequest(client: ExampleClient, bondId: string): Promise<void> {
  await waitForMints(client, bondId)
  const [sender, receiver] = await Promise.all(
    ['Katherine Johnson', 'Konrad Zuse'].map((name) => walletOf(client, name)),
  )
  const wallets = { sender_wallet_id: sender, receiver_wallet_id: receiver }
  await client.integrator('POST', '/transfers', { offering_id: bondId, ...wallets, units: '25', reason: 'sale' })
}

/** Number of paid orders of the bond by approved investors with a wallet. */
const mintedOrders = 5

async function waitForMints(client: ExampleClient, bondId: string): Promise<void> {
  const deadline = Date.now() + mintMsMax
  const query = `/orders?status=MINTED&offering_id=${bondId}`
  while ((await client.operator('GET', query)).results.length < mintedOrders) {
    if (Date.now() > deadline) throw new Error('the orders of the bond are not minted')
    await sleep(500)
  }
}

async function walletOf(client: ExampleClient, investor: string): Promise<string> {
  const found = await client.operator('POST', '/accounts/search', { q: investor })
  const { results } = await client.integrator('GET', `/accounts/${found.results[0].id}/wallets`)
  return results[0].id
}

/** Creates a paid coupon of the minted bond, one whose approval waits, and the schedule that drafts further ones. */
export async function createCoupons(client: ExampleClient, bondId: string, now = Date.now()): Promise<void> {
  const day = (days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10)
  const simulation = `/simulations/offerings/${bondId}/distributions`
  const paid = await client.integrator('POST', simulation, { result: 'paid', rate_per_token: '1.25' })
  await client.operator('POST', `/distributions/${paid.id}/close`)
  await proposeCoupon(client, bondId, { record_at: paid.record_at, pay_on: day(1) })
  const schedules = await client.operator('GET', '/coupon-schedules')
  if (schedules.results.length > 0) return
  await client.operator('POST', `/offerings/${bondId}/coupon-schedules`, {
    currency: 'EUR',
    nominal_per_token: '100.00',
    rate_percent: '5',
    day_count: 'ACT/ACT_ICMA',
    business_days: 'FOLLOWING',
    interest_from: day(0),
    first_pays_on: day(90),
    months: 3,
    matures_on: day(5 * 365),
    record_days: 1,
    draft_days: 14,
    source_account,
  })
}

async function proposeCoupon(
  client: ExampleClient,
  bondId: string,
  dates: { record_at: string; pay_on: string },
): Promise<void> {
  const { results } = await client.operator('GET', '/distributions')
  const terms = { kind: 'COUPON', ...dates, currency: 'EUR', rate_per_token: '1.30', source_account }
  const { id } =
    results.find(({ status }: { status: string }) => status !== 'CLOSED') ??
    (await client.operator('POST', `/offerings/${bondId}/distributions`, {
      ...terms,
      withholding: [{ country: 'DE', percent: '26.375' }],
    }))
  await client.operator('POST', `/distributions/${id}/calculate`)
  const deadline = Date.now() + workerMsMax
  while ((await client.operator('GET', `/distributions/${id}`)).status === 'CALCULATING' && Date.now() < deadline)
    await sleep(200)
  await client.operator('POST', `/distributions/${id}/approve`)
}

/** Creates a KYC provider, and a rejection by it that waits for an operator. */
export async function createKycResult(client: ExampleClient, investor: string): Promise<void> {
  const providers = await client.operator('GET', '/kyc-providers')
  if (providers.results.length > 0) return
  const found = await client.operator('POST', '/accounts/search', { q: investor })
  const { notification_path: path, secret } = await client.operator('POST', '/kyc-providers', {
    kind: 'standard',
    name: 'demo-kyc',
  })
  const now = new Date().toISOString()
  const data = {
    reference: 'C-1001',
    account_id: found.results[0].id,
    outcome: 'rejected',
    decided_at: now,
    checks: [{ name: 'register', result: 'extract is older than six months' }],
  }
  const text = JSON.stringify({ type: 'kyc.decided', timestamp: now, data })
  const deadline = Date.now() + workerMsMax
  while ((await client.provider(path, text, signed(text, secret))) !== 200 && Date.now() < deadline) await sleep(200)
}

/** Signs as Standard Webhooks specifies. */
function signed(text: string, secret: string): Record<string, string> {
  const [id, seconds] = [`msg_${crypto.randomUUID()}`, String(Math.floor(Date.now() / 1_000))]
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}

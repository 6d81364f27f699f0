import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExampleBody, ExampleClient } from './example-client.ts'
import { createCoupons, createKycResult, createTransferRequest } from './example-holders.ts'
import { accountOf, type ExampleInvestor, exampleInvestors } from './example-investors.ts'
import { completeDraft, exampleRules, incompleteDraft, type OpenedExample } from './example-offerings.ts'
import { type ExampleEntry, exampleStatement } from './example-statement.ts'

/**
 * Gives the example tenant a working day: orders in every state, money without an order, a webhook receiver that is
 * down, a paid coupon and a sale between holders, and changes that wait for a second person. Everything goes through
 * the two APIs.
 */
export async function createExamples(
  client: ExampleClient,
  offerings: Readonly<Record<OpenedExample, string>>,
): Promise<void> {
  await createFailingEndpoint(client)
  const entries: ExampleEntry[] = []
  for (const investor of exampleInvestors) entries.push(...(await createInvestor(client, offerings, investor)))
  const day = new Date().toISOString().slice(0, 10)
  await client.operator('POST', '/statements', exampleStatement(day, [...entries, ...strangeEntries]))
  await client.operator('POST', `/offerings/${offerings.art}/pause`, { reason: 'The prospectus is being corrected.' })
  await proposeChanges(client, offerings.bond)
  await client.operator('POST', `/offerings/${offerings.mill}/close`)
  await createPayout(client)
  await createKycResult(client, 'Babbage Capital')
  await createTransferRequest(client, offerings.bond)
  await createCoupons(client, offerings.bond)
}

/** Creates an account with its orders. Returns the entries that the bank reports about it. */
async function createInvestor(
  client: ExampleClient,
  offerings: Readonly<Record<OpenedExample, string>>,
  investor: ExampleInvestor,
): Promise<ExampleEntry[]> {
  const { id } = await client.integrator('POST', '/accounts', accountOf(investor))
  if (investor.hasWallet) await client.integrator('POST', `/simulations/accounts/${id}/wallets`, {})
  if (investor.kind === 'company' && investor.check === 'APPROVED')
    await client.integrator('POST', `/accounts/${id}/benefiting-persons`, benefitingPerson)
  if (investor.check !== 'NEW') await decide(client, id, investor)
  const entries: ExampleEntry[] = []
  for (const { offering, units, outcome } of investor.orders) {
    const body = { account_id: id, units }
    const order = await client.integrator('POST', `/offerings/${offerings[offering]}/orders`, body)
    if (outcome === 'transfer')
      entries.push(entryOf(await client.operator('GET', `/orders/${order.id}`), investor.name))
    else await finish(client, { order, offeringId: offerings[offering], outcome })
  }
  return entries
}

const benefitingPerson = {
  firstname: 'Charles',
  lastname: 'Babbage',
  street: 'Hafenstr. 7',
  zip: '20457',
  state: 'Hamburg',
  city: 'Hamburg',
  country: 'DE',
}

function decide(client: ExampleClient, accountId: string, { kind, check }: ExampleInvestor): Promise<ExampleBody> {
  const reason = {
    APPROVED: 'Passport checked.',
    REJECTED: 'Passport expired.',
    PENDING: 'Documents arrived.',
    NEW: '',
  }
  const decision = {
    [kind === 'person' ? 'kyc' : 'kyb']: check,
    reason: reason[check],
    ...(check === 'APPROVED' && { acknowledged: ['document_missing'] }),
  }
  return client.operator('POST', `/accounts/${accountId}/decision`, decision)
}

function entryOf(order: ExampleBody, payer: string): ExampleEntry {
  return { amountMinor: BigInt(Math.round(order.total_amount * 100)), payer, text: order.payment_reference }
}

interface UnusualOrder {
  readonly order: ExampleBody
  readonly offeringId: string
  readonly outcome: ExampleInvestor['orders'][number]['outcome']
}

async function finish(client: ExampleClient, { order, offeringId, outcome }: UnusualOrder): Promise<void> {
  const simulations = `/simulations/orders/${order.id}`
  if (outcome === 'short' || outcome === 'over' || outcome === 'late')
    await client.integrator('POST', `${simulations}/payments`, { kind: outcome })
  if (outcome === 'overdue') await client.integrator('POST', `${simulations}/payment-deadline`)
  if (outcome === 'cancelled') await client.integrator('PATCH', `/offerings/${offeringId}/orders/${order.id}/cancel`)
}

/** Entries that no order explains. */
const strangeEntries: readonly ExampleEntry[] = [
  { amountMinor: 450_000n, payer: 'Hedy Lamarr', text: 'Harbour Bond, 45 pieces' },
  { amountMinor: 8_000n, payer: 'Grace Brewster', text: 'happy birthday' },
  { amountMinor: 15_000_000n, payer: 'R. Peter', text: 'Quay Street' },
  { amountMinor: 1_250n, payer: 'Testbank', text: 'Account fee', isDebit: true },
]

/** Proposes changes that wait for a second person: an opening, and new terms. */
async function proposeChanges(client: ExampleClient, bondId: string): Promise<void> {
  const { id } = await client.operator('POST', '/offerings', completeDraft)
  await client.operator('POST', `/offerings/${id}/eligibility`, exampleRules)
  await client.operator('POST', `/offerings/${id}/open`)
  await client.operator('POST', '/offerings', incompleteDraft)
  await client.operator('POST', `/offerings/${bondId}/terms`, {
    total_units: '4500',
    max_units: '1000',
    reason: 'Less is needed than planned; no single investor above a quarter.',
  })
}

/** Puts the existing refunds into one bank file, which waits for its release. */
async function createPayout(client: ExampleClient): Promise<void> {
  const { id } = await client.operator('POST', '/payouts', {})
  await client.operator('POST', `/payouts/${id}/release`)
}

/** Longest wait for the worker to verify an endpoint. */
const verificationMsMax = 20_000

/** Creates an endpoint with a receiver that once proved itself and has since gone, so that every delivery fails. */
async function createFailingEndpoint(client: ExampleClient): Promise<void> {
  const echo = async (request: IncomingMessage, response: ServerResponse) => {
    const message = (await json(request).catch(() => ({}))) as { data?: { challenge?: string } }
    response.writeHead(200).end(JSON.stringify({ challenge: message.data?.challenge }))
  }
  const receiver = createServer((request, response) => void echo(request, response))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    const { port } = receiver.address() as { port: number }
    const { results } = await client.operator('GET', '/webhook-endpoints')
    if (results.length > 0) return
    const url = `http://127.0.0.1:${port}/webhooks`
    const { id } = await client.operator('POST', '/webhook-endpoints', { url, description: 'Reporting, switched off' })
    const deadline = Date.now() + verificationMsMax
    while ((await client.operator('GET', `/webhook-endpoints/${id}`)).verified_at === null && Date.now() < deadline)
      await sleep(100)
  } finally {
    receiver.close()
    receiver.closeAllConnections()
  }
}

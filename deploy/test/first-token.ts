import assert from 'node:assert/strict'
import { TestAuthenticator } from '../../service/test/harness/callers/authenticator.ts'
import { sessionCookieIn } from '../../service/test/harness/callers/sign-in-world.ts'
import { WalletOwner } from '../../service/test/harness/chain/wallet-owner.ts'
import { individual, newOffering } from '../../service/test/harness/data/bodies.ts'
import { type ApiResponse, callApi, cookieHeaders } from '../../service/test/harness/installation/api-client.ts'
import { until } from '../../service/test/harness/wait.ts'
import type { Stack } from './stack.ts'

interface Credential {
  readonly client_id: string
  readonly client_secret: string
}

/**
 * Acts as the people and the integrator of a new installation up to the first token. Returns the investor's balance.
 */
export async function mintFirstToken(stack: Stack, { client_id, client_secret }: Credential): Promise<string> {
  const [ada, grace, mary] = await Promise.all(['ada', 'grace', 'mary'].map((name) => acceptInvitation(stack, name)))
  assert.ok(ada && grace && mary)
  const draft = await ada.post('/offerings', { ...newOffering, blockchain: 'anvil' })
  await together(ada, grace, `/offerings/${draft.id}/open`)

  const scopes = [
    'account.create',
    'account.read',
    'account.update',
    'offering.read',
    'order.create',
    'order.read',
    'wallet.read',
  ]
  const url = stack.urlOf('api')
  const { body: issued, text } = await callApi(url, 'POST', '/auth', { body: { client_id, client_secret, scopes } })
  assert.ok(issued.access_token, text)
  const integrator = async (method: string, path: string, body?: unknown): Promise<ApiResponse['body']> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const call = { token: String(issued.access_token), headers, ...(body === undefined ? {} : { body }) }
    return successOf(await callApi(url, method, path, call))
  }
  const { id: accountId } = await integrator('POST', '/accounts', individual)
  await ada.post(`/accounts/${accountId}/decision`, {
    kyc: 'APPROVED',
    acknowledged: ['document_missing'],
    reason: 'passport seen',
  })
  const owner = new WalletOwner()
  const wallets = `/accounts/${accountId}/wallets`
  const wallet = await integrator('POST', wallets, owner.body({ blockchain: 'anvil' }))
  const { challenge: message } = wallet
  await integrator('POST', `${wallets}/${wallet.id}/prove`, { message, signature: await owner.sign(message) })
  const order = await integrator('POST', `/offerings/${draft.id}/orders`, {
    account_id: accountId,
    units: '1000000000',
  })
  const amount = String(order.total_amount)
  const payment = { amount, currency: 'EUR', reference: order.id, received_at: new Date().toISOString() }
  await together(mary, grace, `/orders/${order.id}/payments`, payment)

  // The credential may send 30 requests a minute.
  const isMinted = async () =>
    (await ada.get(`/orders/${order.id}`)).status === 'MINTED' ||
    new Promise<false>((resolve) => setTimeout(resolve, 1_000, false))
  await until('the order is MINTED', isMinted, 240_000)
  const { results } = await integrator('GET', `${wallets}/balances`)
  return String(results[0]?.balance)
}

interface Person {
  readonly get: (path: string) => Promise<ApiResponse['body']>
  readonly post: (path: string, body?: unknown) => Promise<ApiResponse['body']>
}

/** Opens the link of a person's mail and creates a passkey. */
async function acceptInvitation(stack: Stack, name: string): Promise<Person> {
  const link = () => {
    const mail = stack.mailbox.mails.find(({ to }) => to?.some(({ address }) => address === `${name}@example.com`))
    return /\/console\/invitation#(\S+)/.exec(mail?.text ?? '')?.[1]
  }
  await until(`${name} has a mail`, () => link() !== undefined, 180_000)
  const invitation = link()
  const origin = stack.urlOf('operator-api')
  const call = (method: string, path: string, cookie: string, body?: unknown) => {
    const headers = { 'x-idempotency-key': crypto.randomUUID(), ...cookieHeaders(cookie) }
    return callApi(origin, method, path, { prefix: '/operator', headers, ...(body === undefined ? {} : { body }) })
  }
  const { options } = successOf(await call('POST', '/invitations/passkey/options', '', { invitation }))
  const credential = new TestAuthenticator(origin).create(options)
  const accepted = await call('POST', '/invitations/accept', '', { invitation, name: 'Key', credential })
  successOf(accepted)
  const cookie = sessionCookieIn(accepted)
  return {
    get: async (path) => successOf(await call('GET', path, cookie)),
    post: async (path, body) => successOf(await call('POST', path, cookie, body)),
  }
}

/** Lets the first person propose and the second confirm. */
async function together(first: Person, second: Person, path: string, body?: unknown): Promise<void> {
  const { approval_id: approvalId } = await first.post(path, body)
  assert.ok(approvalId, `${path} waits for a second person`)
  await second.post(`/approvals/${approvalId}/confirm`)
}

function successOf({ status, body, text }: ApiResponse): ApiResponse['body'] {
  assert.ok(status < 300, text)
  return body
}

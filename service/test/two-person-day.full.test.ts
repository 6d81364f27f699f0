import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Duty } from '../src/platform/api/declare/duties.ts'
import { duties } from '../src/platform/api/declare/duties.ts'
import { createOrder } from '../src/sales/orders/create-order.ts'
import { AcmeProvider } from './harness/browser/acme-provider.ts'
import { type BrowserPerson, inBrowser, TestBrowser } from './harness/browser/test-browser.ts'
import { SignInWorld } from './harness/callers/sign-in-world.ts'
import type { ApiResponse } from './harness/installation/api-client.ts'
import { freePort } from './harness/installation/process.ts'
import { reportPayment } from './harness/money/incoming-payment.ts'
import { assertValidRefundFile, readRefundFile } from './harness/money/refund-file.ts'
import { SettledWorld } from './harness/tokens/settled-world.ts'

const one = 100_000_000n
const payerIban = 'DE02120300000000202051'

/**
 * One day of two operators without any mocks: an OpenID provider, two browsers with passkeys, the policies of a new
 * tenant, a chain and a bank file.
 */
describe('a day of two people', inBrowser, async () => {
  const port = await freePort()
  const provider = await AcmeProvider.open(port)
  const signIn = await SignInWorld.start(provider.settings, port)
  const settled = await SettledWorld.create({ on: signIn.installation })
  const { tenantId } = settled.world
  const [holder, other] = await settled.minted(2)
  const investors = [await settled.world.investor(), await settled.world.investor()]
  await signIn.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [tenantId])
  await signIn.sql('delete from directory.approval_policy where tenant_id = $1', [tenantId])
  const browser = await TestBrowser.launch()
  after(async () => {
    await browser.close()
    await settled.end()
    await provider.stop()
  })
  const [ada, grace] = [await join('Ada Lovelace', 'release'), await join('Grace Hopper', 'money')]

  /** Accepts an invitation at the provider and creates a passkey. The person has all duties except one. */
  async function join(name: string, without: Duty): Promise<BrowserPerson> {
    const { secret } = await signIn.invite(tenantId, { duties: duties.filter((duty) => duty !== without) })
    const person = await browser.person(name, { baseURL: signIn.origin })
    await provider.join(person, secret, name)
    return person
  }

  /** Sends a request of a page in the person's session. */
  const call = (person: BrowserPerson, method: string, path: string, body?: unknown) =>
    person.page.evaluate(
      async ({ method: verb, path: url, body: content }): Promise<Pick<ApiResponse, 'status' | 'body' | 'text'>> => {
        const headers: Record<string, string> = { 'X-Console': '1', 'X-Idempotency-Key': crypto.randomUUID() }
        if (content !== undefined) headers['Content-Type'] = 'application/json'
        const init = content === undefined ? {} : { body: JSON.stringify(content) }
        const response = await fetch(`/operator${url}`, { method: verb, headers, ...init })
        const text = await response.text()
        return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
      },
      { method, path, body },
    )

  const codeOf = ({ status, body }: Pick<ApiResponse, 'status' | 'body'>) => `${status} ${body?.error?.code ?? ''}`

  /**
   * Lets the first person propose; whatever they try, they cannot confirm alone. Then the second person opens the page
   * of the approval, uses the passkey and confirms.
   */
  async function together(
    [first, second]: readonly [BrowserPerson, BrowserPerson],
    path: string,
    body?: unknown,
  ): Promise<string> {
    const proposal = await call(first, 'POST', path, body)
    assert.equal(proposal.status, 202, proposal.text)
    const approvalId: string = proposal.body.approval_id
    const alone = await call(first, 'POST', `/approvals/${approvalId}/confirm`)
    assert.match(codeOf(alone), /^403 (second_person_required|insufficient_duty)$/)
    const { page } = second
    await page.goto(`/console/approvals/cell/${approvalId}`)
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByText('This change is confirmed.').waitFor()
    return approvalId
  }

  test('a FREEZE and a FORCED_TRANSFER happen on the chain once the second person has confirmed', async () => {
    const actions = `/offerings/${settled.world.offeringId}/token-actions`
    const reason = 'court order 7 O 1/26'
    await together([ada, grace], actions, { kind: 'FREEZE', wallet_address: holder, units: String(one), reason })
    await settled.settle()
    assert.equal(await settled.readToken('getFrozenTokens', [holder]), one)

    await together([grace, ada], actions, { kind: 'FREEZE', wallet_address: holder, units: '0', reason })
    await settled.settle()
    const transfer = { kind: 'FORCED_TRANSFER', wallet_address: holder, to_address: other, units: String(one) }
    await together([ada, grace], actions, { ...transfer, reason })
    await settled.settle()
    assert.equal(await settled.readToken('balanceOf', [other]), 2n * one)
  })

  test('a payment recorded by hand pays an order once the second person has confirmed', async () => {
    const { direct, offeringId } = settled.world
    const [account_id = ''] = investors
    const order = await direct.run(createOrder, { params: { offeringId }, body: { account_id, units: String(one) } })
    const payment = { amount: '12.50', currency: 'EUR', reference: 'cash desk 7', received_at: '2026-07-02T10:00:00Z' }
    await together([ada, grace], `/orders/${order.id}/payments`, payment)
    const paid = await call(ada, 'GET', `/orders/${order.id}`)
    assert.equal(paid.body.paid_amount, 12.5, paid.text)
    // Grace lacks the duty money, so she cannot even propose.
    assert.equal(codeOf(await call(grace, 'POST', `/orders/${order.id}/payments`, payment)), '403 insufficient_duty')
  })

  test('a payout is a bank file that pays the payer back, once the second person has released it', async () => {
    const { direct, offeringId } = settled.world
    const [, account_id = ''] = investors
    const { id } = await direct.run(createOrder, { params: { offeringId }, body: { account_id, units: String(one) } })
    const { payment_reference: paymentReference } = (await call(ada, 'GET', `/orders/${id}`)).body
    const payer = { name: 'Ada Lovelace', iban: payerIban }
    await reportPayment(signIn.installation, tenantId, { paymentReference, amount: '12.50', payer })
    const cancelled = await call(ada, 'POST', `/orders/${id}/cancel`, { reason: 'withdrawn by the investor' })
    assert.equal(cancelled.status, 200, cancelled.text)
    const payout = await call(ada, 'POST', '/payouts', {})
    assert.equal(payout.status, 201, payout.text)
    const { id: payoutId } = payout.body
    assert.equal(codeOf(await call(ada, 'POST', `/payouts/${payoutId}/download`)), '409 payout_not_released')
    await together([ada, grace], `/payouts/${payoutId}/release`)
    const file = await call(ada, 'POST', `/payouts/${payoutId}/download`)
    assertValidRefundFile(file.text)
    const transfers = readRefundFile(file.text).blocks.flatMap((block) => block.transfers)
    assert.deepEqual(
      transfers.map(({ iban, amount }) => [iban, amount]),
      [[payerIban, '12.50']],
    )
    // The audit log names both people for each of the five changes.
    const audited = await settled.world.rows(
      `select from base.audit_log where tenant_id = $1 and confirmed_by is not null and confirmed_by <> actor_id`,
      [tenantId],
    )
    assert.equal(audited.length, 5)
  })

  test('after ten hours a session has expired, and its page leads to the sign-in', async () => {
    await signIn.sql('update directory.operator_session set expires_at = now() where tenant_id = $1', [tenantId])
    assert.equal(codeOf(await call(ada, 'GET', '/me')), '401 session_expired')
    const { page } = ada
    await page.goto('/console')
    await page.getByRole('button', { name: 'Continue with acme' }).waitFor()
  })
})

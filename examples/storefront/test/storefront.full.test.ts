import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InvestorToken } from '@investor-token/sdk'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../../../service/test/harness/browser/chromium-path.ts'
import { WalletOwner } from '../../../service/test/harness/chain/wallet-owner.ts'
import { buy, despiteNavigation, headline, join, press, quote } from './harness/storefront-actions.ts'
import { StorefrontWorld } from './harness/storefront-world.ts'

/** A real browser, the shop, and the real service with a real chain behind it. */
const options = { skip: chromiumPath ? false : 'no Chromium on this machine', concurrency: 3 }

describe('the storefront', options, () => {
  let world: StorefrontWorld
  let address: string
  let service: InvestorToken

  before(async () => {
    world = await StorefrontWorld.create()
    service = world.service
    address = await world.openShop()
  })
  after(() => world?.end())

  /** Returns all orders of the account whose order this page shows. */
  const ordersOfAccount = async (page: Page) => {
    const [, offeringId = '', orderId = ''] = /offerings\/([^/]+)\/orders\/([^/]+)/.exec(page.url()) ?? []
    const { account } = await service.offerings.orders.get(offeringId, orderId)
    return (await service.accounts.orders(account.id).page()).results
  }

  test('an investor joins, orders, pays in two parts, is approved, adds a wallet and gets tokens', async () => {
    const page = await world.visit(address)
    await join(page)
    await quote(page, '10.5')
    await page.getByText('€131.25 by bank transfer').waitFor()
    await press(page, 'Buy for €131.25')
    await headline(page, 'We are waiting for your payment of €131.25')
    await page.getByText('DE89 3704 0044 0532 0130 00').waitFor()
    // An event contains the reference, so the page shows it without a reload.
    await page.locator('dd', { hasText: /^RF/ }).waitFor()

    await press(page, 'Pay half of it')
    await headline(page, /We have received €65.6\d of €131.25/)
    await press(page, 'Pay the open amount')
    await headline(page, 'We have received your payment. Something is still missing.')
    await page.getByText('We are verifying your identity').waitFor()
    await press(page, 'Approve the investor')
    await page.getByText('We are verifying your identity').waitFor({ state: 'detached' })
    await page.getByText('You do not have a wallet').waitFor()
    await press(page, 'Add a wallet')
    // From here on the page updates without any action.
    await headline(page, 'Done: 10.5 HARB are in your wallet.')

    await page.getByRole('link', { name: 'See your portfolio' }).click()
    await page.locator('.card', { hasText: '10.5 HARB' }).waitFor()
    await page.getByRole('row', { name: /MINT 10.5 HARB .* confirmed/ }).waitFor()
    await page.getByRole('row', { name: /10.5 HARB Harbour Bond 2031 €131.25 MINTED/ }).waitFor()
    await page.getByRole('row', { name: /0x[0-9a-fA-F]{40} ACTIVE/ }).waitFor()
  })

  test('the portfolio shows coupons that are announced, paid and returned, and a transfer', async () => {
    const page = await world.visit(address)
    await join(page)
    await buy(page, '10.5')
    for (const name of ['Approve the investor', 'Add a wallet', 'Pay the open amount']) await press(page, name)
    await headline(page, 'Done: 10.5 HARB are in your wallet.')
    await page.goto('/portfolio')
    await page.getByText('No payments yet.').waitFor()
    await page.getByText('You have no transfers yet.').waitFor()

    await press(page, 'Announce a coupon')
    // Events are numbered shortly after the change.
    const announced = page.getByRole('row', { name: /Coupon Harbour Bond 2031 €0.50 per token .* Announced/ })
    for (let attempt = 0; attempt < 20 && (await announced.count()) === 0; attempt += 1) await page.reload()
    await announced.waitFor()
    await press(page, 'Pay a coupon')
    const today = new Date().toLocaleDateString('en', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    })
    await page.getByRole('row', { name: `Coupon Harbour Bond 2031 €5.25 ${today} Paid` }).waitFor()
    await press(page, 'Have the bank return a coupon')
    await page.getByRole('row', { name: /€5.25 .* Failed Your bank returned it \(AC04\)/ }).waitFor()

    await press(page, 'Move a token to a new wallet')
    const moved = page.getByRole('row', { name: /1 HARB Between your wallets Change of wallet DONE/ })
    // The page reads the balance and the transfer with two requests, and both may change between these.
    const balance = page.locator('.card', { hasText: '9.5 HARB' })
    const isComplete = async () => (await moved.count()) > 0 && (await balance.count()) > 0
    for (let attempt = 0; attempt < 60 && !(await isComplete()); attempt += 1) {
      await sleep(500)
      await page.reload()
    }
    assert.ok(await isComplete(), await page.locator('main').innerText())
    // Another visitor sees neither.
    const stranger = await world.visit(address)
    await join(stranger)
    await stranger.goto('/portfolio')
    await stranger.getByText('No payments yet.').waitFor()
    await stranger.getByText('You have no transfers yet.').waitFor()
  })

  test('an investor registers a wallet, signs with it in the browser, and the tokens go there', async () => {
    const owner = new WalletOwner()
    const page = await world.visit(address)
    await page.exposeFunction('signAsInvestor', (hex: string) =>
      owner.sign(Buffer.from(hex.slice(2), 'hex').toString('utf8')),
    )
    await page.addInitScript(`window.ethereum = { request: async ({ method, params }) =>
      method === 'personal_sign' ? window.signAsInvestor(params[0]) : ['${owner.address}'] }`)
    await join(page)
    await page.goto('/wallet')
    await page.getByLabel('Address of your wallet').fill('0x12')
    await press(page, 'Continue')
    await page.getByRole('alert').getByText('public_address').waitFor()
    await press(page, 'Use my browser wallet')
    await page.locator('pre', { hasText: owner.address }).waitFor()
    await page.getByLabel('Signature').fill(await new WalletOwner().sign('something else'))
    await press(page, 'Send the signature')
    await page.getByRole('alert').getByText('The signature is not').waitFor()
    await press(page, 'Sign with my browser wallet')
    await page.getByText('this wallet is yours').waitFor()
    await page.getByRole('row', { name: `${owner.address} ACTIVE` }).waitFor()
    await buy(page, '2')
    for (const name of ['Approve the investor', 'Pay the open amount']) await press(page, name)
    await headline(page, 'Done: 2 HARB are in your wallet.')
  })

  test('a company adds a beneficial owner, and its order is minted', async () => {
    const page = await world.visit(address)
    await join(page, 'company')
    await page.goto('/company/persons?example')
    await press(page, 'Add this person')
    await page.getByText('Grace Hopper, Berlin').waitFor()
    await buy(page, '1')
    for (const name of ['Approve the investor', 'Add a wallet', 'Pay 50% too much']) await press(page, name)
    await headline(page, 'Done: 1 HARB are in your wallet.')
  })

  test('a rejected form shows the failures beside its fields and keeps the input', async () => {
    const page = await world.visit(address)
    await page.goto('/join/person?example')
    await page.getByLabel('Citizenship').fill('X1')
    await page.getByLabel('IBAN').fill('DE1')
    await page.getByLabel('First name').fill('')
    await press(page, 'Open the account')
    await page.getByText('Please correct 3 fields.').waitFor()
    for (const label of ['Citizenship', 'IBAN', 'First name']) {
      const input = page.getByLabel(label)
      assert.equal(await input.getAttribute('aria-invalid'), 'true')
      const described = (await input.getAttribute('aria-describedby'))?.split(' ').at(-1)
      assert.match(await page.locator(`#${described}`).innerText(), /^This must /)
    }
    assert.equal(await page.getByLabel('Last name').inputValue(), 'Lovelace')
    assert.equal(await page.getByLabel('Last name').getAttribute('aria-invalid'), null)

    await page.getByLabel('Citizenship').fill('DE')
    await page.getByLabel('IBAN').fill('DE89370400440532013000')
    await page.getByLabel('First name').fill('<b>Ada</b>')
    await press(page, 'Open the account')
    await page.getByText('<b>Ada</b> Lovelace').waitFor()

    for (const [amount, failure] of [
      ['ten', 'Please enter an amount in digits'],
      ['0', 'greater than 0'],
      ['1.123456789', 'at most 8 decimal places'],
      ['99999999', 'are left'],
    ] as const) {
      await quote(page, amount)
      await page.locator('.failure', { hasText: failure }).waitFor()
      assert.equal(await page.getByRole('button', { name: /^Buy for/ }).count(), 0)
    }
  })

  test('a double click, a reload and submitting the form again place one order', async () => {
    const page = await world.visit(address)
    await join(page)
    await quote(page, '3')
    const form = await page.locator('form[action$="/orders"]').evaluate((element) => {
      const { action, elements } = element as unknown as { action: string; elements: { name: string; value: string }[] }
      return { action, fields: Object.fromEntries([...elements].map(({ name, value }) => [name, value])) }
    })
    await page.getByRole('button', { name: /^Buy for/ }).dblclick()
    await despiteNavigation(() => page.waitForURL(/\/orders\//))
    await despiteNavigation(() => headline(page, 'We are waiting'))
    const url = page.url()
    await despiteNavigation(() => page.reload())
    const again = await page.request.post(form.action, { form: form.fields })
    assert.equal(again.url(), url)
    assert.equal((await ordersOfAccount(page)).length, 1)

    // The same key with a different amount does not place another order.
    const changed = await page.request.post(form.action, { form: { ...form.fields, amount: '4' } })
    assert.equal(changed.url(), url)
    assert.match(await changed.text(), /No new order was placed/)
    assert.equal((await ordersOfAccount(page)).length, 1)

    // Two concurrent requests with the same new key.
    const fields = { ...form.fields, idempotency_key: randomUUID() }
    const both = await Promise.all([1, 2].map(() => page.request.post(form.action, { form: fields })))
    assert.equal(both[0]?.url(), both[1]?.url())
    assert.equal((await ordersOfAccount(page)).length, 2)

    // A new form has a new key.
    await buy(page, '3')
    assert.equal((await ordersOfAccount(page)).length, 3)
  })

  test('visitors cannot see each other’s data', async () => {
    const [ann, bob] = await Promise.all([world.visit(address), world.visit(address)])
    await Promise.all([join(ann), join(bob)])
    await buy(ann, '7')
    const order = new URL(ann.url()).pathname
    for (const stranger of [bob, await world.visit(address)]) {
      const page = await stranger.request.get(order)
      assert.ok([401, 404].includes(page.status()))
      assert.doesNotMatch(await page.text(), /7 HARB|DE89/)
      const stream = await stranger.request.get(`${order}/progress`)
      assert.ok([204, 401].includes(stream.status()))
      assert.equal((await stranger.request.get(`${order}x`)).status(), 404)
      for (const verb of ['cancel', 'simulate'])
        assert.ok([401, 404].includes((await stranger.request.post(`${order}/${verb}`, { form: {} })).status()))
    }
    await bob.goto('/portfolio')
    await bob.getByText('You have no orders yet.').waitFor()
    await ann.goto('/portfolio')
    await ann.getByRole('row', { name: /7 HARB .* ORDERED/ }).waitFor()
  })

  test('a signed webhook updates the page at once, and a webhook with a wrong signature changes nothing', async () => {
    const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
    // This shop polls so rarely that only the webhook can have updated it.
    const quiet = await world.openShop({ client: { ...world.client, webhookSecret }, pollMs: 3_600_000 })
    const page = await world.visit(quiet)
    await join(page)
    await buy(page, '2')
    await headline(page, 'We are waiting')
    const [order] = await ordersOfAccount(page)
    assert.ok(order)
    await service.simulations.payment(order.id, { kind: 'exact' })
    const event = await world.paymentEventOf(order.id)
    const post = (body: string, headers: Record<string, string>) =>
      fetch(`${quiet}/webhooks/investor-token`, { method: 'POST', body, headers })
    const body = JSON.stringify(event)
    const signed = await service.webhooks.sign(body, { secret: webhookSecret })
    const forged = await post(body, { ...signed, 'webhook-signature': 'v1,c2lnbmVkIGJ5IG5vYm9keQ==' })
    assert.deepEqual([forged.status, (await forged.text()).slice(0, 20)], [401, 'No signature matches'])
    assert.match(await page.locator('.headline').innerText(), /We are waiting/)
    const verification = JSON.stringify({ type: 'endpoint.verification', data: { challenge: 'c' } })
    const echoed = await post(verification, await service.webhooks.sign(verification, { secret: webhookSecret }))
    assert.deepEqual([echoed.status, await echoed.json()], [200, { challenge: 'c' }])
    for (const _delivery of [1, 2]) assert.equal((await post(body, signed)).status, 200)
    await headline(page, 'We have received your payment.')
  })

  test('everything except the live progress works without JavaScript', async () => {
    const page = await world.visit(address, { javaScriptEnabled: false })
    await join(page)
    await buy(page, '1')
    await press(page, 'Pay the open amount')
    await headline(page, 'We have received your payment')
    assert.equal(await page.locator('meta[http-equiv="refresh"]').getAttribute('content'), '15')
    await press(page, 'Cancel this order')
    await headline(page, 'This order was cancelled.')
  })

  test('the browser never receives a credential, and a form of another site is rejected', async () => {
    const page = await world.visit(address)
    const bodies: Promise<string>[] = []
    page.on('response', (response) => {
      // The progress stream does not end.
      if (!response.url().endsWith('/progress')) bodies.push(response.text().catch(() => ''))
    })
    await join(page)
    await buy(page, '1')
    await headline(page, 'We are waiting')
    const seen = (await Promise.all(bodies)).join('')
    assert.match(seen, /How to pay/)
    for (const secret of [world.client.clientId, world.client.clientSecret, 'Bearer']) assert.ok(!seen.includes(secret))
    assert.equal(await page.evaluate('document.cookie'), '')
    const foreign = await page.request.post('/leave', { headers: { 'sec-fetch-site': 'cross-site' } })
    assert.equal(foreign.status(), 403)
  })

  after(() => assert.deepEqual(world.problems, []))
})

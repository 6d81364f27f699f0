import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount } from '../../service/src/sales/accounts/create-account.ts'
import { createOrder } from '../../service/src/sales/orders/create-order.ts'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { DirectOperations } from '../../service/test/harness/callers/operations.ts'
import { company } from '../../service/test/harness/data/bodies.ts'
import { Fixtures } from '../../service/test/harness/data/fixtures.ts'
import type { ApiProcess } from '../../service/test/harness/installation/test-installation.ts'
import { reportPayment } from '../../service/test/harness/money/incoming-payment.ts'
import { testSize } from '../../service/test/harness/test-size.ts'
import { type ConsolePerson, ConsoleWorld } from './harness/console-world.ts'

/** Time for which the network stays cut after everything has noticed. */
const cutMs = testSize({ short: 0, long: 30_000 })

describe('work that is interrupted', inBrowser, () => {
  let world: ConsoleWorld
  let ada: ConsolePerson
  let api: ApiProcess
  let offeringId: string
  let accountId: string

  before(async () => {
    // An installation of its own, because the test adds up the sums of all tenants.
    world = await ConsoleWorld.start({})
    const { installation } = world.signIn
    // Runs the API as a process, so that killing it breaks connections without closing them.
    await world.signIn.api.process.stop()
    api = await startApi()
    offeringId = await new Fixtures(installation).offering(world.ids.tenantId)
    accountId = (await direct().run(createAccount, { body: company })).id
    ada = await world.person('Ada Lovelace')
  })
  after(() => world?.end())

  const direct = () => new DirectOperations(world.signIn.installation, world.ids.tenantId)
  const startApi = () =>
    world.signIn.installation.startOperatorApiProcess({ OPERATOR_PORT: new URL(world.signIn.origin).port })
  const newOrder = () =>
    direct().run(createOrder, { params: { offeringId }, body: { account_id: accountId, units: '1000000000' } })
  /** Numbers events, as a worker does every 50 ms. Here the test does it, so that nothing happens unnoticed. */
  const publishEvents = () => world.signIn.installation.numberEvents()

  async function countNotes(text: string): Promise<number> {
    // The text is encrypted, so this counts through the API.
    const { cookies } = await ada.page.context().storageState()
    const cookie = cookies.find(({ name }) => name === '__Host-session')?.value ?? ''
    const { body } = await world.signIn.call('GET', '/notes?limit=100', { cookie })
    return body.results.filter((note: { text: string }) => note.text === text).length
  }

  /** Returns the idempotency keys of all attempts to write a note. */
  function keysOfNotes(): (string | undefined)[] {
    const keys: (string | undefined)[] = []
    ada.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/notes'))
        keys.push(request.headers()['x-idempotency-key'])
    })
    return keys
  }

  const writeNote = async (text: string) => {
    await ada.page.getByLabel('Write a note for colleagues').fill(text)
    return ada.page.getByRole('button', { name: 'Add note' })
  }

  test('a suggested payment is matched with two keys', async () => {
    const order = await newOrder()
    const amount = Number(order.total_amount).toFixed(2)
    const payer = { name: company.company.name, iban: 'DE02120300000000202051' }
    const booked = await reportPayment(world.signIn.installation, world.ids.tenantId, { amount, payer })
    assert.equal(booked.kind, 'unassigned')
    await ada.page.goto(`/console/money/matching?payment=${booked.kind === 'unassigned' ? booked.id : ''}`)
    await ada.page.getByText('The payment is exactly what the order lacks.').waitFor()
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Assign payment' }).waitFor()
    await ada.page.keyboard.press('Enter')
    await ada.notified(/ assigned$/)
    const { results } = await (await world.signIn.installation.operatorApi()).call(
      world.ids.tenantId,
      'GET',
      `/orders?account_id=${accountId}`,
    )
    assert.deepEqual(
      results.map(({ id, status }: { id: string; status: string }) => [id, status]),
      [[order.id, 'PAID']],
    )
  })

  test('a payment for two orders is split with three keys, and nothing of it is left', async () => {
    const orders = [await newOrder(), await newOrder()]
    const amount = orders.reduce((sum, order) => sum + Number(order.total_amount), 0).toFixed(2)
    const payer = { name: company.company.name, iban: 'DE02120300000000202051' }
    const booked = await reportPayment(world.signIn.installation, world.ids.tenantId, { amount, payer })
    await ada.page.goto(`/console/money/matching?payment=${booked.kind === 'unassigned' ? booked.id : ''}`)
    await ada.page.getByText('More than the order lacks').waitFor()
    await ada.page.keyboard.press('s')
    await ada.page.getByText('The parts are exactly the payment.').waitFor()
    const split = ada.page.waitForResponse(/\/split\?/)
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Split payment' }).waitFor()
    const text = await ada.page.getByRole('dialog').innerText()
    assert.equal(text.match(/125\.00 EUR counts towards order/g)?.length, 2)
    await ada.page.keyboard.press('Enter')
    assert.ok((await split).ok())
  })

  test('a screen appears although the first responses say that the service is busy, and no sooner than they ask', async () => {
    const busy = JSON.stringify({ error: { code: 'unavailable', message: 'Too many requests are in progress.' } })
    const askedAt: number[] = []
    const isBusy: Parameters<typeof ada.page.route>[1] = (route) => {
      askedAt.push(performance.now())
      if (askedAt.length > 2) return route.continue()
      return route.fulfill({
        status: 503,
        contentType: 'application/json',
        headers: { 'retry-after': '2' },
        body: busy,
      })
    }
    await ada.page.route(/\/me$/, isBusy)
    await ada.page.goto('/console/orders')
    await ada.page.getByRole('heading', { name: 'Orders' }).waitFor()
    await ada.page.unroute(/\/me$/)
    const waits = askedAt.slice(1, 3).map((at, index) => at - (askedAt[index] ?? 0))
    assert.equal(waits.length, 2)
    for (const wait of waits) assert.ok(wait >= 1_900, `repeated after ${Math.round(wait)} ms`)
  })

  test('an event changes a row where it is and announces a new one, without a reload', async () => {
    const waiting = await newOrder()
    await publishEvents()
    await ada.page.goto('/console/orders')
    const rows = ada.page.locator('tbody tr.row')
    const row = rows.filter({ has: ada.page.locator(`a[href$="${waiting.id}"]`) })
    await row.getByText('ORDERED').waitFor()
    const [count, index] = [await rows.count(), await row.getAttribute('data-index')]
    await ada.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))

    const added = await newOrder()
    await new Fixtures(world.signIn.installation).bringTo(world.ids.tenantId, waiting.id, 'PAID')
    await publishEvents()
    await row.getByText('PAID').waitFor()
    await ada.page.getByRole('button', { name: '1 new' }).waitFor()
    assert.deepEqual([await rows.count(), await row.getAttribute('data-index')], [count, index])

    await ada.page.getByRole('button', { name: '1 new' }).click()
    await rows.filter({ has: ada.page.locator(`a[href$="${added.id}"]`) }).waitFor()
    assert.equal(await rows.count(), count + 1)
    assert.ok(await ada.page.evaluate(() => 'isSamePage' in globalThis))
  })

  /** Lets the service execute the next request to a path, and kills its process before it responds. */
  async function killBeforeResponse(path: RegExp): Promise<void> {
    const loseResponse: Parameters<typeof ada.page.route>[1] = async (route) => {
      await route.fetch()
      await api.process.kill()
      await route.abort()
    }
    await ada.page.route(path, loseResponse, { times: 1 })
  }

  async function restart(): Promise<void> {
    api = await startApi()
  }

  test('a payment that is recorded while the process dies is booked once, and the dialog keeps what was typed', async () => {
    const order = await newOrder()
    await ada.page.goto(`/console/orders/${order.id}`)
    await ada.page.getByRole('button', { name: 'Record payment' }).first().click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('10.00')
    await dialog.getByLabel('Bank reference').fill('cash desk 7')
    await dialog.getByLabel('Received').fill('2026-07-02T10:00')
    await killBeforeResponse(/\/payments$/)
    await dialog.locator('button[type="submit"]').click()
    await dialog.getByText('Waiting for the connection').waitFor()
    assert.equal(await dialog.getByLabel('Bank reference').inputValue(), 'cash desk 7')
    await restart()
    await dialog.waitFor({ state: 'detached' })
    const payments = ada.page.getByRole('table', { name: 'Payments' }).locator('tbody tr.row')
    await payments.first().waitFor()
    assert.equal(await payments.count(), 1)
    const { results } = await (await world.signIn.installation.operatorApi()).call(
      world.ids.tenantId,
      'GET',
      `/orders/${order.id}/payments`,
    )
    assert.deepEqual(
      results.map(({ amount }: { amount: string }) => amount),
      ['10.00'],
    )
  })

  test('a write whose response died with the process is retried after the restart and happens once', async () => {
    await ada.page.goto(`/console/orders/${world.ids.orderId}`)
    const keys = keysOfNotes()
    const add = await writeNote('killed')
    await killBeforeResponse(/\/notes$/)
    await add.click()
    await ada.page.getByText('Waiting for the connection').waitFor()
    await ada.page.getByText(/^No connection since/).waitFor()
    assert.equal(await ada.page.getByLabel('Write a note for colleagues').inputValue(), 'killed')
    await restart()
    await Promise.all([
      ada.page.getByText('Connected again.').waitFor(),
      ada.page.locator('.note').getByText('killed').waitFor(),
    ])
    assert.equal(await ada.page.getByLabel('Write a note for colleagues').inputValue(), '')
    assert.equal(await countNotes('killed'), 1)
    assert.ok(keys.length >= 2)
    assert.equal(new Set(keys).size, 1)
  })

  test('without a network nothing typed is lost, and a pending change is sent once afterwards', async () => {
    const devtools = await ada.page.context().newCDPSession(ada.page)
    const cut = (offline: boolean) =>
      devtools.send('Network.emulateNetworkConditions', {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
    await devtools.send('Network.enable')
    const keys = keysOfNotes()
    await cut(true)
    await ada.page.getByText(/^No connection since/).waitFor()
    await (await writeNote('offline')).click()
    await ada.page.getByText('Waiting for the connection').waitFor()
    await ada.page.waitForTimeout(cutMs)
    assert.equal(await ada.page.getByLabel('Write a note for colleagues').inputValue(), 'offline')
    await cut(false)
    await Promise.all([
      ada.page.getByText('Connected again.').waitFor(),
      ada.page.locator('.note').getByText('offline').waitFor(),
    ])
    assert.equal(await countNotes('offline'), 1)
    assert.equal(new Set(keys).size, 1)
  })

  test('after the session has ended, the text stays and is sent only after a sign-in with a passkey', async () => {
    await world.signIn.sql('update directory.operator_session set expires_at = now() where tenant_id = $1', [
      world.ids.tenantId,
    ])
    const add = await writeNote('signed out')
    await add.click()
    await ada.page.getByText('Your session has ended. What you typed is still here.').waitFor()
    await ada.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await ada.page.getByText('Connected again.').waitFor()
    assert.equal(await ada.page.getByLabel('Write a note for colleagues').inputValue(), 'signed out')
    assert.equal(await countNotes('signed out'), 0)
    await add.click()
    await ada.page.locator('.note').getByText('signed out').waitFor()
    assert.equal(await countNotes('signed out'), 1)
  })

  test('many orders are cancelled at once, each with its own result, and a view is saved', async () => {
    const [first, second] = [await newOrder(), await newOrder()]
    await ada.page.goto('/console/orders?status=ORDERED')
    const rowOf = (id: string) => ada.page.locator('tbody tr.row').filter({ has: ada.page.locator(`a[href$="${id}"]`) })
    await rowOf(first.id).focus()
    await ada.page.keyboard.press('x')
    await rowOf(second.id).focus()
    await ada.page.keyboard.press(' ')
    await ada.page.getByText('2 selected').waitFor()
    // Meanwhile a colleague changes one of them.
    await new Fixtures(world.signIn.installation).bringTo(world.ids.tenantId, first.id, 'PAID')
    await ada.page.getByRole('button', { name: 'Cancel orders (2)' }).click()
    await ada.page.getByLabel('Reason').fill('for a test')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Cancel orders', exact: true }).click()
    await ada.page.getByText('2 of 2').waitFor()
    assert.deepEqual(
      (await ada.page.locator('.bulk-results .state').allInnerTexts()).map((text) => text.trim()).toSorted(),
      ['Done', 'Failed'],
    )
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

    await ada.page.getByRole('button', { name: 'Save view' }).click()
    await ada.page.getByLabel('Name').fill('Waiting')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await ada.page.getByRole('button', { name: 'All', exact: true }).click()
    await ada.page.waitForURL('**/console/orders')
    await ada.page.getByRole('button', { name: 'Waiting', exact: true }).click()
    await ada.page.waitForURL('**/console/orders?status=ORDERED')
  })
})

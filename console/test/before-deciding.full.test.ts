import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount } from '../../service/src/sales/accounts/create-account.ts'
import { createOrder } from '../../service/src/sales/orders/create-order.ts'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { DirectOperations } from '../../service/test/harness/callers/operations.ts'
import { company, individual } from '../../service/test/harness/data/bodies.ts'
import { Fixtures } from '../../service/test/harness/data/fixtures.ts'
import { createUnassignedPayment } from '../../service/test/harness/money/incoming-payment.ts'
import { createQueuedCheck } from '../../service/test/harness/servers/kyc-provider.ts'
import { type ConsolePerson, ConsoleWorld } from './harness/console-world.ts'

describe('what the console shows before a person decides', inBrowser, () => {
  let world: ConsoleWorld
  let ada: ConsolePerson
  let fixtures: Fixtures

  before(async () => {
    world = await ConsoleWorld.start()
    fixtures = new Fixtures(world.signIn.installation)
    ada = await world.person('Ada Lovelace')
  })
  after(() => world?.end())

  const direct = () => new DirectOperations(world.signIn.installation, world.ids.tenantId)

  test('while the orders of the payer load, a payment is neither called unmatched nor offered for return', async () => {
    const { page } = ada
    const paymentId = await createUnassignedPayment(world.signIn.installation, world.ids.tenantId)
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/accounts/search*', async (route) => {
      await isAnswered
      await route.continue()
    })
    await page.goto(`/console/money/matching?payment=${paymentId}`)
    await page.getByText('Looking for orders that could be meant').waitFor()
    // By now everything except the search has arrived.
    await page.waitForTimeout(1_000)
    assert.equal(await page.getByText('No order is waiting for this amount').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Return to payer' }).count(), 0)
    answer()
    await page.getByRole('button', { name: /^(Return to payer|Assign payment)$/ }).waitFor()
    await page.unroute('**/accounts/search*')
  })

  test('an approval against a provider and without owner or document is not the highlighted button, and names what is missing', async () => {
    const { page } = ada
    const { tenantId } = world.ids
    const { id: accountId } = await direct().run(createAccount, { body: company })
    await createQueuedCheck(world.signIn.installation, { tenantId, accountId })
    await world.signIn.sql("update cell.kyc_check set kind = 'kyb' where account_id = $1", [accountId])
    await page.goto(`/console/investors/${accountId}`)
    const approve = page.getByRole('button', { name: 'Approve KYB' })
    await approve.waitFor()
    assert.equal(await approve.getAttribute('data-variant'), 'default')
    await approve.click()
    const dialog = page.getByRole('dialog')
    const risks = dialog.getByRole('checkbox')
    await risks.first().waitFor()
    assert.deepEqual(await dialog.locator('label:has-text("I know")').allInnerTexts(), [
      'I know that there is no document, and that no provider has approved',
      'I know that the provider has rejected this',
      'I know that the company has no beneficial owner',
    ])
    await dialog.getByLabel('Reason').fill('register seen at the notary')
    await dialog.getByRole('button', { name: 'Approve KYB' }).click()
    // The browser keeps the dialog open until each is checked.
    await dialog.locator('input:invalid').first().waitFor()
    for (const risk of await risks.all()) await risk.check()
    await dialog.getByRole('button', { name: 'Approve KYB' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('KYB APPROVED').first().waitFor()
  })

  test('a booking whose day is all that the bank knows is shown without a time, and the frame names the time zone', async () => {
    const { page } = ada
    const { tenantId } = world.ids
    const { id: accountId } = await direct().run(createAccount, { body: individual })
    const offeringId = await fixtures.offering(tenantId)
    const body = { account_id: accountId, units: '1000000000' }
    const { id } = await direct().run(createOrder, { params: { offeringId }, body })
    await fixtures.pay(tenantId, id, `${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
    await page.goto(`/console/orders/${id}`)
    await page.locator('main').getByText('PAID', { exact: true }).first().waitFor()
    await page
      .getByRole('table')
      .getByText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
      .waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /12:00/)
    await page.getByText('Times in UTC').waitFor()
  })

  test('a soft cap that was met shows when, and not a sum that the service no longer counts', async () => {
    const { page } = ada
    const offeringId = await fixtures.offering(world.ids.tenantId, { soft_cap_amount: '40000.00' })
    await world.signIn.sql(
      `update cell.offering set soft_cap_met_at = '2026-07-02T10:00:00Z', funded_amount = 43000 where id = $1`,
      [offeringId],
    )
    await page.goto(`/console/offerings/${offeringId}`)
    await page.getByText('40,000.00 EUR reached on Jul 2, 2026, 10:00 AM').waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /43,000/)
  })
})

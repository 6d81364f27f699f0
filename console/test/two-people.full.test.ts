import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { duties } from '../../service/src/platform/api/declare/duties.ts'
import { inBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { type ConsolePerson, ConsoleWorld } from './harness/console-world.ts'

const collectionIban = 'DE89 3704 0044 0532 0130 00'

describe('two people in the console', inBrowser, () => {
  let world: ConsoleWorld
  let ada: ConsolePerson
  let grace: ConsolePerson

  before(async () => {
    world = await ConsoleWorld.start()
    const { tenantId } = world.ids
    await world.signIn.sql('delete from directory.approval_policy where tenant_id = $1', [tenantId])
    ada = await world.person('Ada Lovelace')
    grace = await world.person(
      'Grace Hopper',
      duties.filter((duty) => duty !== 'money'),
    )
  })
  after(() => world?.end())

  /** Returns the idempotency keys of the requests to a path. */
  const keysOf = (person: ConsolePerson, path: RegExp) => {
    const keys: (string | undefined)[] = []
    person.page.on('request', (request) => {
      if (path.test(request.url())) keys.push(request.headers()['x-idempotency-key'])
    })
    return keys
  }

  test('one proposes, the other confirms with a passkey, by keyboard', async () => {
    await ada.page.goto(`/console/offerings/${world.ids.offeringId}`)
    await ada.page.getByRole('button', { name: 'Open offering' }).waitFor()
    await ada.page.keyboard.press('a')
    await ada.page.getByRole('dialog').getByText('Afterwards only its end and its limits can be changed').waitFor()
    await ada.page.getByRole('dialog').getByText(collectionIban).waitFor()
    await ada.page.keyboard.press('Enter')
    await ada.notified('A second person must confirm')
    await ada.page.getByRole('link', { name: 'Open approvals' }).click()
    await ada.page.getByText('You proposed this. Another person must confirm it.').waitFor()
    assert.equal(await ada.page.getByRole('button', { name: 'Confirm' }).count(), 0)

    await world.signIn.sql('update directory.operator_session set stepped_up_at = null where tenant_id = $1', [
      world.ids.tenantId,
    ])
    const steppedUp = grace.page.waitForResponse(/\/operator\/step-up$/)
    await grace.page.keyboard.press('g')
    await grace.page.keyboard.press('a')
    await grace.page.getByRole('button', { name: /^Open offering/ }).click()
    await grace.page.getByRole('cell', { name: 'OPEN', exact: true }).waitFor()
    for (const shown of [
      collectionIban,
      'COBADEFFXXX',
      'Harbour Issuer GmbH',
      'DE, AT',
      'How often did you buy bonds?',
    ])
      await grace.page.getByRole('article').getByText(shown).first().waitFor()
    await grace.page.keyboard.press('a')
    await grace.page.getByRole('button', { name: 'Confirm with passkey' }).click()
    assert.equal((await steppedUp).status(), 200)
    await grace.notified('Confirmed: Open offering')
    await grace.page.goto(`/console/offerings/${world.ids.offeringId}`)
    await grace.page.getByText('OPEN', { exact: true }).first().waitFor()
  })

  test('an operation that needs a passkey is repeated with the same idempotency key', async () => {
    await ada.page.goto(`/console/orders/${world.ids.orderId}`)
    const keys = keysOf(ada, /\/extend$/)
    const passkeys = ada.page.waitForRequest(/\/operator\/step-up$/)
    await ada.page.route(/\/extend$/, async (route) => {
      // No operation with an idempotency key needs a passkey today, so the first response is faked.
      if (keys.length > 1) return route.continue()
      const error = { type: 'forbidden', code: 'step_up_needed', message: 'Use your passkey.' }
      return route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify({ error }) })
    })
    await ada.page.getByRole('button', { name: 'Extend deadline' }).first().click()
    await ada.page.getByLabel('Payment due').fill('2027-01-31T12:00')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Extend deadline' }).click()
    await passkeys
    await ada.notified('Deadline extended')
    assert.equal(keys.length, 2)
    assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(keys[0], keys[1])
  })

  test('the wizard leads to the field that the API rejects, and saves the draft', async () => {
    const { page } = ada
    const next = () => page.getByRole('button', { name: 'Next' }).click()
    await page.goto('/console/offerings/new')
    await next()
    await page.getByText('This field is needed.').first().waitFor()
    await page.getByLabel('Name').fill('Lighthouse Fund')
    await page.getByLabel('Symbol').fill('LITE')
    await next()
    await page.getByLabel('Price per token').fill('12.50')
    await page.getByLabel('Total units').fill('100')
    await page.getByLabel('Smallest order').fill('200')
    for (const step of ['Rules of the sale', 'Bank account', 'Token']) {
      await next()
      await page.getByRole('heading', { name: step }).waitFor()
    }
    await next()
    await page.getByText('1,250.00 EUR').waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The member min_units must be at most total_units.').first().waitFor()
    await page.getByRole('heading', { name: 'Price and units' }).waitFor()
    await page.getByLabel('Smallest order').fill('10')
    for (let step = 0; step < 4; step += 1) await next()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { name: 'Lighthouse Fund' }).waitFor()
    assert.match(new URL(page.url()).pathname, /\/offerings\/[0-9a-f-]{36}$/)
  })

  test('a sale is paused by one person; a change of its terms shows before and after and waits for another', async () => {
    const { page } = ada
    await page.goto(`/console/offerings/${world.ids['openOfferingId']}`)
    await page.getByRole('button', { name: 'Change terms' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Total units').fill('2000000')
    await dialog.getByRole('cell', { name: '2000000' }).waitFor()
    await dialog.getByLabel('Reason').fill('more demand')
    await dialog.getByRole('button', { name: 'Propose change' }).click()
    await ada.notified('A second person must confirm')
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Pause offering' }).click()
    await dialog.getByLabel('Reason').fill('wrong prospectus')
    await dialog.getByRole('button', { name: 'Pause offering' }).click()
    await page.getByText('PAUSED', { exact: true }).first().waitFor()
  })

  test('register details with a wrong check digit are not lost, and the corrected ones appear on the page', async () => {
    const { page } = ada
    await page.goto(`/console/offerings/${world.ids['openOfferingId']}`)
    await page.getByRole('button', { name: 'Change details' }).click()
    const dialog = page.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Change details' })
    await dialog.getByLabel('ISIN').fill('us0378331006')
    await dialog.getByLabel('Nominal value of one token').fill('1000')
    await save.click()
    await dialog.getByText('The member isin must have the right check digit').first().waitFor()
    await dialog.getByLabel('ISIN').fill('us0378331005')
    await save.click()
    await ada.notified('A second person must confirm')
    await grace.page.goto('/console/approvals')
    await grace.page.getByRole('button', { name: /^Change register details/ }).click()
    await grace.page.getByRole('cell', { name: 'US0378331005' }).waitFor()
    await grace.page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await grace.page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await grace.notified('Confirmed: Change register details')
    await page.reload()
    await page.getByRole('button', { name: 'US0378331005' }).waitFor()
    await page.locator('dd').filter({ hasText: '1,000.00 EUR' }).waitFor()
  })

  test('actions that the duties do not permit are not shown', async () => {
    await grace.page.goto('/console/money/matching')
    await grace.page.getByText('Difference').waitFor()
    assert.equal(await grace.page.getByRole('button', { name: 'Return to payer' }).count(), 0)
    await ada.page.goto('/console/money/matching')
    await ada.page.getByRole('button', { name: 'Return to payer' }).waitFor()
  })

  test('after the session has ended, the sign-in leads back to the address with its filters', async () => {
    await ada.page.goto('/console/orders?status=NOPAYMENT&hide=units')
    await ada.page.getByText('Status is').waitFor()
    await world.signIn.sql('update directory.operator_session set expires_at = now() where tenant_id = $1', [
      world.ids.tenantId,
    ])
    // The page redirects to the sign-in before it has loaded.
    await ada.page.reload({ waitUntil: 'commit' })
    await ada.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await ada.page.getByText('Status is').waitFor()
    assert.equal(new URL(ada.page.url()).search, '?status=NOPAYMENT&hide=units')
    assert.equal(await ada.page.getByRole('columnheader', { name: 'Units' }).count(), 0)
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { inBrowser, TestBrowser } from '../../../../test/harness/browser/test-browser.ts'
import { SignInWorld } from '../../../../test/harness/callers/sign-in-world.ts'
import { callApi } from '../../../../test/harness/installation/api-client.ts'

describe('the page that signs in a device', inBrowser, async () => {
  const [world, browser] = await Promise.all([SignInWorld.start(), TestBrowser.launch()])
  after(() => browser.close())
  after(() => world.installation.end())

  const call = (path: string, body: object) => callApi(world.origin, 'POST', path, { prefix: '/operator', body })

  test('a person signs in, types the code, sees which device asked from where, and confirms with a passkey', async () => {
    const { userId, secret } = await world.invite(await world.installation.createTenant('Harbour'))
    const { body: device } = await call('/device-authorizations', { device_name: 'laptop <b>of</b> Ada' })
    const { page } = await browser.person('Ada', { baseURL: world.origin })
    page.setDefaultTimeout(60_000)
    await page.goto(`/console/invitation#${secret}`)
    await page.getByRole('button', { name: /passkey|Continue|Accept/i }).click()
    await page.waitForURL('**/console')
    await world.sql('update directory.operator_session set stepped_up_at = null where user_id = $1', [userId])

    await page.goto('/console/device')
    await page.getByText('You are Grace of Harbour.').waitFor()
    const code = page.getByLabel('Code that the command line shows')
    await code.fill('BBBB-BBBB')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('No device waits with this code').waitFor()
    await code.fill(device.user_code.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    const region = page.getByRole('region', { name: 'The device to sign in' })
    await region.getByText('Did you start this sign-in yourself, just now?').waitFor()
    assert.match(await region.locator('dl').innerText(), /laptop <b>of<\/b> Ada[\s\S]*127\.0\.0\.1/)
    await page.getByRole('button', { name: 'Confirm with passkey' }).click()
    await page.getByText('is signed in for a day').waitFor()
    const received = await call('/device-authorizations/token', { device_code: device.device_code })
    assert.deepEqual([received.status, received.body.user_id], [200, userId], received.text)
  })
})

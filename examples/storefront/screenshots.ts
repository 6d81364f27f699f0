// Takes the README's screenshots of the real shop, service and chain: npm run screenshots -w examples/storefront.
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { StorefrontWorld } from './test/harness/storefront-world.ts'

const folder = fileURLToPath(new URL('./screenshots/', import.meta.url))
mkdirSync(folder, { recursive: true })

const world = await StorefrontWorld.create()
try {
  const page = await world.visit(await world.openShop())
  const take = async (name: string, height: number) => {
    await page.mouse.move(0, 0)
    await page.setViewportSize({ width: 960, height })
    await page.screenshot({ path: `${folder}${name}.png` })
  }
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click()

  await world.openOffering({
    name: 'Lighthouse Fund',
    symbol: 'LITE',
    price_per_token: '250',
    total_units: '400000000000',
  })
  await page.goto('/offerings')
  await take('offerings', 460)

  await page.goto('/join/person?example')
  await page.getByLabel('Citizenship').fill('XX')
  await page.getByLabel('IBAN').fill('DE1')
  await press('Open the account')
  await page.getByText('Please correct').waitFor()
  await take('form', 820)
  await page.getByLabel('Citizenship').fill('DE')
  await page.getByLabel('IBAN').fill('DE89370400440532013000')
  await press('Open the account')

  await page.getByRole('link', { name: 'Harbour Bond 2031' }).click()
  await page.getByLabel('How many HARB').fill('10.5')
  await press('Show the price')
  await page.getByText('You pay').waitFor()
  await take('price', 760)

  await press(/^Buy for/)
  await page.locator('dd', { hasText: /^RF/ }).waitFor()
  await take('pay', 960)
  await press('Pay the open amount')
  await page.getByText('We are verifying your identity').waitFor()
  await take('waiting', 810)
  await press('Approve the investor')
  await press('Add a wallet')
  await page.getByText('Done: 10.5 HARB').waitFor({ timeout: 60_000 })

  await page.goto('/portfolio')
  for (const name of ['Pay a coupon', 'Have the bank return a coupon', 'Announce a coupon']) await press(name)
  await press('Move a token to a new wallet')
  await sleep(8_000)
  await page.reload()
  await take('portfolio', 1_100)
} finally {
  await world.end()
}

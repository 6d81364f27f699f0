import type { Page } from 'playwright-core'

export async function join(page: Page, kind: 'person' | 'company' = 'person'): Promise<void> {
  await page.goto(`/join/${kind}?example`)
  await press(page, 'Open the account')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

export async function quote(page: Page, amount: string): Promise<void> {
  await page.goto('/offerings')
  await page.getByRole('link', { name: 'Harbour Bond 2031' }).click()
  await page.getByLabel('How many HARB').fill(amount)
  await press(page, 'Show the price')
}

export async function buy(page: Page, amount: string): Promise<void> {
  await quote(page, amount)
  await press(page, /^Buy for/)
  await page.waitForURL(/\/orders\//)
}

export const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click()

/** Waits for this headline. */
export const headline = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('.headline', { hasText: text }).waitFor()

/** Retries a wait, because the second click of a double click starts a navigation that interrupts the first wait. */
export const despiteNavigation = <Result>(wait: () => Promise<Result>): Promise<Result> => wait().catch(wait)

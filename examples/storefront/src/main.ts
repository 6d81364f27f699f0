import { InvestorTokenError } from '@investor-token/sdk'
import { createShop } from './create-shop.ts'
import { readSettings } from './settings.ts'

const log = (line: string) => void process.stdout.write(`${line}\n`)

try {
  const { port, ...options } = readSettings(process.env, new URL('../../../.dev/credentials.json', import.meta.url))
  const app = await createShop({ ...options, log })
  const address = await app.listen({ host: '127.0.0.1', port })
  log(`The shop is running at ${address}. Stop with Ctrl-C.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close())
} catch (error) {
  // Errors of the SDK and of readSettings contain no secrets.
  const isApiError = error instanceof InvestorTokenError
  log(`${(error as Error).message}${isApiError ? ' Check that npm run dev is running.' : ''}`)
  process.exitCode = 1
}

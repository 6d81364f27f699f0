import { InvestorTokenError } from '@investor-token/sdk'
import { createShop } from './create-shop.ts'
import { readSettings } from './settings.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

try {
  const { port, ...options } = readSettings(process.env, new URL('../../../.dev/credentials.json', import.meta.url))
  const app = await createShop({ ...options, log: say })
  const address = await app.listen({ host: '127.0.0.1', port })
  say(`The shop is open at ${address}. Ctrl-C closes it.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close())
} catch (error) {
  // Both kinds are sentences for people and hold no secret.
  const isUnreachable = error instanceof InvestorTokenError
  say(`${(error as Error).message}${isUnreachable ? ' Is npm run dev running?' : ''}`)
  process.exitCode = 1
}

import { readFileSync } from 'node:fs'
import type { ClientOptions, Scope } from '@investor-token/sdk'
import type { ShopOptions } from './create-shop.ts'

export type Settings = Omit<ShopOptions, 'log'> & { readonly port: number }

/** Only the scopes that the shop needs, to limit the damage of a stolen access token. */
const scopes: readonly Scope[] = [
  'offering.read',
  'account.create',
  'account.read',
  'account.update',
  'wallet.read',
  'order.create',
  'order.read',
  'order.update',
]

/** Reads the environment. If it contains no credential, uses the one of `npm run dev`. */
export function readSettings(env: NodeJS.ProcessEnv, devFile: URL): Settings {
  const port = Number(env['STOREFRONT_PORT'] || '8090')
  const webhookSecret = env['INVESTOR_TOKEN_WEBHOOK_SECRET'] || undefined
  const isSecure = env['STOREFRONT_HTTPS'] === 'true'
  const clientId = env['INVESTOR_TOKEN_CLIENT_ID']
  if (!clientId) return { ...demoSettings(devFile, webhookSecret), isSecure, port }
  const client: ClientOptions = {
    clientId,
    clientSecret: env['INVESTOR_TOKEN_CLIENT_SECRET'] ?? '',
    baseUrl: env['INVESTOR_TOKEN_URL'] ?? '',
    scopes,
    webhookSecret,
  }
  return { client, hasSimulations: env['STOREFRONT_SIMULATIONS'] === 'true', isSecure, port }
}

interface Demo {
  base_url: string
  tenants: { credentials: { client_id: string; client_secret: string }[] }[]
}

function demoSettings(file: URL, webhookSecret: string | undefined): Omit<Settings, 'isSecure' | 'port'> {
  const { base_url: baseUrl, tenants } = readDemo(file)
  const [first, second] = (tenants[0]?.credentials ?? []).map(
    ({ client_id: clientId, client_secret: clientSecret }): ClientOptions => ({
      clientId,
      clientSecret,
      baseUrl,
      scopes,
    }),
  )
  if (!first) throw new Error('.dev/credentials.json has no credential: run npm run dev -- --fresh.')
  return { client: { ...first, webhookSecret }, backgroundClient: second, hasSimulations: true }
}

function readDemo(file: URL): Demo {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo
  } catch {
    throw new Error('Cannot read .dev/credentials.json: start npm run dev first, or set INVESTOR_TOKEN_CLIENT_ID.')
  }
}

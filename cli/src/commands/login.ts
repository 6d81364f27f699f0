import { readFileSync } from 'node:fs'
import { ApiError, type InvestorToken } from '@investor-token/sdk'
import type { Command } from 'commander'
import { readEnvironment } from '../base/environment.ts'
import { exitCodes, Failure, usageFailure } from '../base/failure.ts'
import { allScopes, apiVersion } from '../base/generated/operations.ts'
import { interrupted } from '../base/interruption.ts'
import { isInteractive, note, print, readAllOfStdin } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { type Profile, readProfiles, writeProfiles } from '../session/profiles.ts'
import { type GlobalOptions, newWebhookSecret, openClient, profileName } from '../session/session.ts'
import { leaf } from './leaf.ts'

interface LoginOptions extends GlobalOptions {
  baseUrl?: string
  clientId?: string
  clientSecretStdin?: boolean
  from?: string
  tenant?: string
  scopes?: string[]
  allowHttp?: boolean
}

/** As much of what `npm run dev` writes as a login needs. */
interface DevelopmentCredentials {
  base_url: string
  tenants: { name: string; credentials: { client_id: string; client_secret: string; scopes: string[] }[] }[]
}

type Wanted = Pick<Profile, 'base_url' | 'client_id' | 'client_secret'> & { scopes?: readonly string[] | undefined }

export function addLogin(program: Command): void {
  leaf(program, 'login', 'Keep a credential for the commands to come', [
    'login --from .dev/credentials.json',
    'login --profile staging --base-url "$BASE_URL" --client-id "$CLIENT_ID" --client-secret-stdin < secret.txt',
  ])
    .option('--base-url <url>', 'where the service is')
    .option('--client-id <id>', 'of your credential')
    .option('--client-secret-stdin', 'read the secret from stdin: what is typed as an argument, others can see')
    .option('--from <file>', 'take all of it from the file that npm run dev writes')
    .option('--tenant <name>', 'with --from: the tenant (default: the first one)')
    .option('--scopes <scope...>', 'what tokens may do (default: all that the credential is granted)')
    .option('--allow-http', 'send the secret over http to another machine, where it can be read on its way')
    .action(login)
}

/** Nothing is kept before a call with it has worked. */
async function login(options: LoginOptions): Promise<void> {
  const wanted = await wantedOf(options)
  const { configFile } = readEnvironment()
  const profiles = readProfiles(configFile)
  const name = profileName(options)
  const earlier = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  const draft = {
    ...wanted,
    scopes: wanted.scopes ?? allScopes,
    webhook_secret: earlier?.webhook_secret ?? newWebhookSecret(),
    ...(options.allowHttp ? { allow_http: true } : {}),
  }
  const { scopes, token } = await authenticate(draft, options, wanted.scopes === undefined)
  const profile = { ...draft, scopes }
  await openClient(profile, options).requests.list({ limit: 10, signal: interrupted })
  writeProfiles(configFile, { ...profiles, [name]: profile })
  if (options.json) return print(toJson(token))
  print(`Logged in to ${profile.base_url} as ${profile.client_id}, profile "${name}".`)
  print(`Scopes: ${scopes.join(', ')}.`)
  note(`Kept in ${configFile}, which only you can read.`)
}

/** The token's own answer without the token, and the scopes that the credential turned out to have. */
async function authenticate(
  profile: Profile,
  options: GlobalOptions,
  maySettleForLess: boolean,
): Promise<{ scopes: readonly string[]; token: object }> {
  const client = openClient(profile, options)
  try {
    return { scopes: profile.scopes, token: await obtainToken(client, profile, profile.scopes) }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'scope_not_granted' && maySettleForLess)) throw error
    // The refusal names all that are missing. A wrong guess would only be refused again.
    const granted = profile.scopes.filter((scope) => !error.message.includes(scope))
    if (granted.length === 0 || granted.length === profile.scopes.length) throw error
    return { scopes: granted, token: await obtainToken(client, profile, granted) }
  }
}

async function obtainToken(client: InvestorToken, profile: Profile, scopes: readonly string[]): Promise<object> {
  const { client_id, client_secret } = profile
  const body = { client_id, client_secret, scopes, api_version: apiVersion }
  const { access_token: _, ...shown } = await client.call('authenticate', { body, options: { signal: interrupted } })
  return shown
}

async function wantedOf(options: LoginOptions): Promise<Wanted> {
  if (options.from !== undefined) return { ...fromFile(options.from, options.tenant), ...scopesOf(options) }
  const base_url = options.baseUrl ?? (await ask('Where is the service?', '--base-url', 'https://api.example.com'))
  const client_id = options.clientId ?? (await ask('The id of your credential?', '--client-id'))
  const client_secret = options.clientSecretStdin
    ? (await readAllOfStdin()).trim()
    : await ask('Its secret?', '--client-secret-stdin', undefined, true)
  return { base_url, client_id, client_secret, ...scopesOf(options) }
}

function scopesOf({ scopes }: LoginOptions): Pick<Wanted, 'scopes'> {
  return scopes === undefined ? {} : { scopes: scopes.flatMap((some) => some.split(',')) }
}

/** The credential of the tenant that may do most. */
function fromFile(file: string, tenantName: string | undefined): Wanted {
  let known: DevelopmentCredentials
  try {
    known = JSON.parse(readFileSync(file, 'utf8')) as DevelopmentCredentials
  } catch {
    throw usageFailure(
      `The file ${file} cannot be read.`,
      'npm run dev writes it: is it running, and is this its folder?',
    )
  }
  const tenants = known.tenants ?? []
  const tenant = tenantName === undefined ? tenants[0] : tenants.find(({ name }) => name === tenantName)
  const [credential] = (tenant?.credentials ?? []).toSorted((one, other) => other.scopes.length - one.scopes.length)
  if (!credential)
    throw usageFailure(
      `The file ${file} has no such tenant.`,
      `Those that it has: ${tenants.map(({ name }) => `"${name}"`).join(', ') || 'none'}.`,
    )
  const { client_id, client_secret, scopes } = credential
  return { base_url: known.base_url, client_id, client_secret, scopes }
}

async function ask(message: string, flag: string, placeholder?: string, isSecret = false): Promise<string> {
  if (!isInteractive()) throw usageFailure(`Nobody is here to ask: give ${flag}, or --from.`)
  const { text, password, isCancel } = await promptsOf()
  const validate = (value: string | undefined) => (value ? undefined : 'It cannot be empty.')
  const how = { message, validate, output: process.stderr }
  const answer = isSecret ? await password(how) : await text({ ...how, ...(placeholder ? { placeholder } : {}) })
  if (isCancel(answer)) throw new Failure(exitCodes.interrupted, 'Interrupted.')
  return answer.trim()
}

async function promptsOf() {
  const { text, password, isCancel } = await import('@clack/prompts')
  return { text, password, isCancel }
}

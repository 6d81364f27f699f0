import { ApiError, type InvestorToken } from '@investor-token/sdk'
import type { Command } from 'commander'
import { readEnvironment } from '../base/environment.ts'
import { exitCodes, Failure, usageFailure } from '../base/failure.ts'
import { allScopes, apiVersion } from '../base/generated/operations.ts'
import { host } from '../base/host.ts'
import { interrupted } from '../base/interruption.ts'
import { isInteractive, note, print, readAllOfStdin } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { readDevelopmentFile } from '../session/development-file.ts'
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

/** The part of the file written by `npm run dev` that login reads. */
interface DevelopmentCredentials {
  base_url: string
  tenants: { name: string; credentials: { client_id: string; client_secret: string; scopes: string[] }[] }[]
}

type LoginInput = Pick<Profile, 'base_url' | 'client_id' | 'client_secret'> & { scopes?: readonly string[] | undefined }

export function addLogin(program: Command): void {
  leaf(program, 'login', 'Store a credential for later commands', [
    'login --from .dev/credentials.json',
    'login --profile staging --base-url "$BASE_URL" --client-id "$CLIENT_ID" --client-secret-stdin < secret.txt',
  ])
    .option('--base-url <url>', 'the URL of the service')
    .option('--client-id <id>', 'the client id of your credential')
    .option('--client-secret-stdin', 'read the secret from stdin, because other users could see an argument')
    .option('--from <file>', 'read everything from the file that npm run dev writes')
    .option('--tenant <name>', 'with --from: the tenant (default: the first one)')
    .option('--scopes <scope...>', 'the scopes of access tokens (default: all scopes of the credential)')
    .option('--allow-http', 'allow http to another host, where the secret can be intercepted')
    .action(login)
}

/** Stores the credential only after an API call with it has succeeded. */
async function login(options: LoginOptions): Promise<void> {
  const input = await readInput(options)
  const { configFile } = readEnvironment()
  const profiles = readProfiles(configFile)
  const name = profileName(options)
  const draft = {
    ...input,
    scopes: input.scopes ?? allScopes,
    webhook_secret: profiles[name]?.webhook_secret ?? newWebhookSecret(),
    ...(options.allowHttp ? { allow_http: true } : {}),
  }
  const { scopes, token } = await authenticate(draft, options, input.scopes === undefined)
  const profile = { ...draft, scopes }
  await openClient(profile, options).requests.list({ limit: 10, signal: interrupted })
  writeProfiles(configFile, { ...profiles, [name]: profile })
  if (options.json) return print(toJson(token))
  print(`Logged in to ${profile.base_url} as ${profile.client_id}, profile "${name}".`)
  print(`Scopes: ${scopes.join(', ')}.`)
  note(`Stored in ${configFile}, which only you can read.`)
}

/** Returns the granted scopes, and the response of `POST /auth` without the token. */
async function authenticate(
  profile: Profile,
  options: GlobalOptions,
  acceptFewerScopes: boolean,
): Promise<{ scopes: readonly string[]; token: object }> {
  const client = openClient(profile, options)
  try {
    return { scopes: profile.scopes, token: await obtainToken(client, profile, profile.scopes) }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'scope_not_granted' && acceptFewerScopes)) throw error
    // The error message names all scopes that are not granted. If parsing it fails, the service rejects the retry.
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

async function readInput(options: LoginOptions): Promise<LoginInput> {
  if (options.from !== undefined) return { ...fromFile(options.from, options.tenant), ...scopesOf(options) }
  const base_url = options.baseUrl ?? (await prompt('URL of the service', '--base-url', 'https://api.example.com'))
  const client_id = options.clientId ?? (await prompt('Client id', '--client-id'))
  const client_secret = options.clientSecretStdin
    ? (await readAllOfStdin()).trim()
    : await prompt('Client secret', '--client-secret-stdin', undefined, true)
  return { base_url, client_id, client_secret, ...scopesOf(options) }
}

function scopesOf({ scopes }: LoginOptions): Pick<LoginInput, 'scopes'> {
  return scopes === undefined ? {} : { scopes: scopes.flatMap((some) => some.split(',')) }
}

/** Uses the tenant's credential with the most scopes. */
function fromFile(file: string, tenantName: string | undefined): LoginInput {
  const { known, tenant } = readDevelopmentFile<DevelopmentCredentials>(file, tenantName)
  const [credential] = tenant.credentials.toSorted((one, other) => other.scopes.length - one.scopes.length)
  if (!credential) throw usageFailure(`The file ${file} has no credential of this tenant.`)
  const { client_id, client_secret, scopes } = credential
  return { base_url: known.base_url, client_id, client_secret, scopes }
}

async function prompt(message: string, flag: string, placeholder?: string, isSecret = false): Promise<string> {
  if (!isInteractive()) throw usageFailure(`Cannot prompt without a terminal: use ${flag} or --from.`)
  const { text, password, isCancel } = await loadPrompts()
  const validate = (value: string | undefined) => (value ? undefined : 'It must not be empty.')
  const options = { message, validate, output: host().stderr }
  const value = isSecret ? await password(options) : await text({ ...options, ...(placeholder ? { placeholder } : {}) })
  if (isCancel(value)) throw new Failure(exitCodes.interrupted, 'Interrupted.')
  return value.trim()
}

async function loadPrompts() {
  const { text, password, isCancel } = await import('@clack/prompts')
  return { text, password, isCancel }
}

import type { Command } from 'commander'
import { readEnvironment } from '../base/environment.ts'
import { exitCodes, Failure, usageFailure } from '../base/failure.ts'
import { note, print, readAllOfStdin } from '../base/terminal.ts'
import { deviceLogin } from '../operator/device-login.ts'
import { OperatorClient } from '../operator/operator-client.ts'
import { toJson } from '../output/json.ts'
import { readDevelopmentFile } from '../session/development-file.ts'
import { type OperatorProfile, readOperatorProfiles, writeOperatorProfiles } from '../session/profiles.ts'
import { type GlobalOptions, profileName } from '../session/session.ts'
import { leaf } from './leaf.ts'

interface OperatorLoginOptions extends GlobalOptions {
  baseUrl?: string
  tokenStdin?: boolean
  from?: string
  tenant?: string
  allowHttp?: boolean
}

interface Me {
  user: { id: string; name: string; duties: { duty: string }[] }
  tenant: { id: string; name: string }
}

export function addOperatorLogin(operator: Command): void {
  leaf(operator, 'login', 'Sign in as an operator, with a browser or a personal access token', [
    'operator login --from .dev/credentials.json',
    'operator login --profile staging --base-url "$OPERATOR_URL" --token-stdin < operator-token.txt',
  ])
    .option('--base-url <url>', 'the URL of the operator API')
    .option('--token-stdin', 'read a personal access token from stdin instead of showing a code')
    .option('--from <file>', 'use the service user in the file that npm run dev writes')
    .option('--tenant <name>', 'with --from: the tenant (default: the first one)')
    .option('--allow-http', 'allow http to another host, where the token can be intercepted')
    .action(login)
  leaf(operator, 'logout', 'Revoke and delete the stored token of a profile', [
    'operator logout --profile staging',
  ]).action(logout)
}

/** Stores the token only after a call with it has succeeded. */
async function login(options: OperatorLoginOptions): Promise<void> {
  const { configFile } = readEnvironment()
  const name = profileName(options)
  // If the file cannot be used, fails before the person confirms anything.
  readOperatorProfiles(configFile)
  const profile = await tokenOf(options)
  const { data } = await new OperatorClient(profile, options).json({ method: 'GET', path: '/me' })
  const { user, tenant } = data as Me
  writeOperatorProfiles(configFile, { ...readOperatorProfiles(configFile), [name]: profile })
  const expires_at = profile.issued?.expires_at ?? null
  if (options.json) return print(toJson({ user_id: user.id, tenant_id: tenant.id, expires_at }))
  print(`Logged in to ${profile.base_url} as ${user.name} of ${tenant.name}, profile "${name}".`)
  print(`Duties: ${user.duties.map(({ duty }) => duty).join(', ')}.`)
  if (expires_at !== null) print(`Until ${expires_at}.`)
  note(`Stored in ${configFile}, which only you can read.`)
}

async function tokenOf(options: OperatorLoginOptions): Promise<OperatorProfile> {
  if (options.from !== undefined) return fromFile(options.from, options.tenant)
  const base_url = options.baseUrl ?? readEnvironment().operatorUrl
  if (base_url === undefined)
    throw usageFailure('Use --base-url with the URL of the operator API, such as https://operators.example.com.')
  const service = { base_url, ...(options.allowHttp ? { allow_http: true } : {}) }
  if (options.tokenStdin) return { ...service, token: (await readAllOfStdin()).trim() }
  const { token, token_id, user_id, tenant_id, expires_at } = await deviceLogin(service, options)
  return { ...service, token, issued: { token_id, user_id, tenant_id, expires_at } }
}

/** The part of the file written by `npm run dev` that the login reads. */
interface DevelopmentOperators {
  operator_url: string
  tenants: { name: string; user: { personal_token: string } }[]
}

function fromFile(file: string, tenantName: string | undefined): OperatorProfile {
  const { known, tenant } = readDevelopmentFile<DevelopmentOperators>(file, tenantName)
  return { base_url: known.operator_url, token: tenant.user.personal_token }
}

async function logout(options: GlobalOptions): Promise<void> {
  const { configFile } = readEnvironment()
  const name = profileName(options)
  const { [name]: removed, ...others } = readOperatorProfiles(configFile)
  if (!removed) throw new Failure(exitCodes.notPermitted, `Operator profile "${name}" does not exist.`)
  const isRevoked = await revoke(removed, options)
  writeOperatorProfiles(configFile, others)
  note(`Deleted operator profile "${name}".${isRevoked ? ' Its token is revoked.' : ' Its token is still valid.'}`)
}

/** Revokes only a token that the login created: any other may be in use elsewhere. */
async function revoke({ issued, ...profile }: OperatorProfile, options: GlobalOptions): Promise<boolean> {
  if (!issued) return false
  const path = `/users/${issued.user_id}/tokens/${issued.token_id}/revoke`
  try {
    await new OperatorClient(profile, options).send({ method: 'POST', path })
    return true
  } catch {
    // The token may have expired, or the service may be unreachable. The profile is deleted in any case.
    return false
  }
}

import { randomBytes } from 'node:crypto'
import { type ClientOptions, InvestorToken, type LogEntry } from '@investor-token/sdk'
import { type Environment, readEnvironment } from '../base/environment.ts'
import { exitCodes, Failure, usageFailure } from '../base/failure.ts'
import { allScopes } from '../base/generated/operations.ts'
import { harmless, note, paint } from '../base/terminal.ts'
import { type Profile, readProfiles } from './profiles.ts'

/** What every command takes. */
export interface GlobalOptions {
  profile?: string
  json?: boolean
  raw?: boolean
  debug?: boolean
}

// Some seconds: somebody waits, and can ask again.
const maxRetries = 3

const profileDefault = 'default'

export function profileName({ profile }: GlobalOptions, environment: Environment = readEnvironment()): string {
  return profile ?? environment.profile ?? profileDefault
}

/** Who to be: the environment's credential where there is one, else that of the profile. */
export function currentProfile(options: GlobalOptions): Profile {
  const environment = readEnvironment()
  const given = fromEnvironment(environment)
  if (given && options.profile === undefined) return given
  const name = profileName(options, environment)
  const profiles = readProfiles(environment.configFile)
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  throw new Failure(
    exitCodes.notPermitted,
    `There is no profile "${name}": you are not logged in.`,
    name === profileDefault ? 'Run: investor-token login' : `Run: investor-token login --profile ${name}`,
  )
}

/** All three or none: a secret of a file must not go to an address that something else has set. */
function fromEnvironment({ baseUrl, clientId, clientSecret, scopes }: Environment): Profile | undefined {
  if (baseUrl === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined)
    throw usageFailure(
      'INVESTOR_TOKEN_BASE_URL, INVESTOR_TOKEN_CLIENT_ID and INVESTOR_TOKEN_CLIENT_SECRET belong together.',
      'Set all three of them, or none to use a profile.',
    )
  return {
    base_url: baseUrl,
    client_id: clientId,
    client_secret: clientSecret,
    scopes: scopes?.split(/[\s,]+/) ?? allScopes,
    webhook_secret: newWebhookSecret(),
  }
}

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

export function openClient(profile: Profile, options: GlobalOptions, more: Partial<ClientOptions> = {}): InvestorToken {
  return new InvestorToken({
    baseUrl: profile.base_url,
    clientId: profile.client_id,
    clientSecret: profile.client_secret,
    scopes: profile.scopes,
    webhookSecret: profile.webhook_secret,
    allowHttp: profile.allow_http ?? false,
    maxRetries,
    logger: (entry) => tell(entry, options),
    ...more,
  })
}

/** Waiting is always told, since nobody likes a program that stands still; the rest on request. */
function tell(entry: LogEntry, { debug }: GlobalOptions): void {
  const { event, method, path, status, requestId, durationMs, waitMs, reason } = entry
  const seconds = waitMs === undefined ? '' : ` ${Math.ceil(waitMs / 1000)} s`
  const what = `${method} ${path}`
  if (event === 'throttled' && (waitMs ?? 0) > 1_000)
    note(paint('dim', `The rate limit is used up; waiting${seconds} …`, process.stderr))
  else if (event === 'retry')
    note(paint('dim', harmless(`${what}: ${reason ?? 'no answer'}; trying again in${seconds} …`), process.stderr))
  else if (debug && event === 'answer')
    note(paint('dim', `${what} ${status} in ${Math.round(durationMs ?? 0)} ms, request ${requestId}`, process.stderr))
}

import { randomBytes } from 'node:crypto'
import { type ClientOptions, InvestorToken, type LogEntry } from '@investor-token/sdk'
import { type Environment, readEnvironment } from '../base/environment.ts'
import { exitCodes, Failure, usageFailure } from '../base/failure.ts'
import { allScopes } from '../base/generated/operations.ts'
import { host } from '../base/host.ts'
import { escapeControlCharacters, note, paint } from '../base/terminal.ts'
import { type Profile, readProfiles } from './profiles.ts'

/** The options of every command. */
export interface GlobalOptions {
  profile?: string
  json?: boolean
  raw?: boolean
  debug?: boolean
}

// Keeps the delay at a few seconds, because a user is waiting and can repeat the command.
const maxRetries = 3

const profileDefault = 'default'

export function profileName({ profile }: GlobalOptions, environment: Environment = readEnvironment()): string {
  return profile ?? environment.profile ?? profileDefault
}

/** Returns the credential from the environment if it is set there, otherwise from the profile. */
export function currentProfile(options: GlobalOptions): Profile {
  const environment = readEnvironment()
  const given = fromEnvironment(environment)
  if (given && options.profile === undefined) return given
  const name = profileName(options, environment)
  const profile = readProfiles(environment.configFile)[name]
  if (profile) return profile
  throw new Failure(
    exitCodes.notPermitted,
    `Not logged in: profile "${name}" does not exist.`,
    name === profileDefault ? 'Run: investor-token login' : `Run: investor-token login --profile ${name}`,
  )
}

/** Requires all three variables or none: a secret from a profile must not be sent to a URL from the environment. */
function fromEnvironment({ baseUrl, clientId, clientSecret, scopes }: Environment): Profile | undefined {
  if (baseUrl === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined)
    throw usageFailure(
      'INVESTOR_TOKEN_BASE_URL, INVESTOR_TOKEN_CLIENT_ID and INVESTOR_TOKEN_CLIENT_SECRET must be set together.',
      'Set all three, or none of them to use a profile.',
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
    logger: (entry) => logEntry(entry, options),
    ...more,
  })
}

/** Always reports waits and retries, so that the program does not seem to hang. Reports the rest only with --debug. */
function logEntry(entry: LogEntry, { debug }: GlobalOptions): void {
  const { event, method, path, status, requestId, durationMs, waitMs, reason } = entry
  const seconds = waitMs === undefined ? '' : ` ${Math.ceil(waitMs / 1000)} s`
  const request = `${method} ${path}`
  const show = (text: string) => note(paint('dim', escapeControlCharacters(text), host().stderr))
  if (event === 'throttled' && (waitMs ?? 0) > 1_000) show(`Rate limit reached; waiting${seconds} …`)
  else if (event === 'retry') show(`${request}: ${reason ?? 'no response'}; retrying in${seconds} …`)
  else if (debug && event === 'response')
    show(`${request} ${status} in ${Math.round(durationMs ?? 0)} ms, request ${requestId}`)
}

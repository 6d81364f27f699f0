import { statSync } from 'node:fs'
import { AuthenticationError, ConnectionError, type HeadersLike, UnexpectedResponseError } from '@investor-token/sdk'
import type { Command } from 'commander'
import { readEnvironment } from '../base/environment.ts'
import { type ExitCode, exitCodes, Failure } from '../base/failure.ts'
import { allScopes, apiVersion } from '../base/generated/operations.ts'
import { interrupted } from '../base/interruption.ts'
import { escapeControlCharacters, paint, print } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { isPrivate, type Profile } from '../session/profiles.ts'
import { currentProfile, type GlobalOptions, openClient, profileName } from '../session/session.ts'
import { leaf } from './leaf.ts'

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly finding: string
  readonly remedy?: string
  /** Exit code of the command if this is the first failed check. */
  readonly exitCode?: ExitCode
}

// The service's Date header is precise to one second, and webhooks are rejected at a difference of 300 s.
const clockDifferenceMaxSeconds = 30

export function addDoctor(program: Command): void {
  leaf(program, 'doctor', 'Check the configuration and the connection', ['doctor', 'doctor --json']).action(doctor)
}

async function doctor(options: GlobalOptions): Promise<void> {
  const findings = await examine(options)
  if (options.json) print(toJson(findings.map(({ check, ok, finding, remedy }) => ({ check, ok, finding, remedy }))))
  else for (const one of findings) print(lineOf(one))
  const bad = findings.find(({ ok }) => !ok)
  if (bad) throw new Failure(bad.exitCode ?? exitCodes.failed, `Check failed: ${bad.check}.`)
}

function lineOf({ check, ok, finding, remedy }: Finding): string {
  const mark = ok ? paint('green', '✔') : paint('red', '✖')
  return `${mark} ${escapeControlCharacters(`${check}: ${finding}${remedy === undefined ? '' : `\n    ${remedy}`}`)}`
}

async function examine(options: GlobalOptions): Promise<Finding[]> {
  let profile: Profile
  try {
    profile = currentProfile(options)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { message, remedy, exitCode } = error
    return [{ check: 'profile', ok: false, finding: message, exitCode, ...(remedy ? { remedy } : {}) }]
  }
  return [ofConfiguration(), ofProfile(profile, options), ...(await ofService(profile, options))]
}

function ofConfiguration(): Finding {
  const { configFile, clientSecret } = readEnvironment()
  const check = 'configuration'
  if (clientSecret !== undefined) return { check, ok: true, finding: 'credential from the environment' }
  const mode = statSync(configFile).mode & 0o777
  return { check, ok: isPrivate(mode), finding: `${configFile}, mode ${mode.toString(8).padStart(4, '0')}` }
}

function ofProfile({ client_id }: Profile, options: GlobalOptions): Finding {
  const source =
    readEnvironment().clientSecret === undefined || options.profile !== undefined ? profileName(options) : 'environment'
  return { check: 'profile', ok: true, finding: `${source}, credential ${client_id}` }
}

/** Runs the remaining checks with only one token request and one API request, even if the service rejects them. */
async function ofService(profile: Profile, options: GlobalOptions): Promise<Finding[]> {
  let seen: { headers: HeadersLike; at: number } | undefined
  const client = openClient(profile, options, {
    maxRetries: 1,
    fetch: async (url, request) => {
      const response = await fetch(url, request as RequestInit)
      seen = { headers: response.headers, at: Date.now() }
      return response
    },
  })
  const failure = await client.requests.list({ limit: 10, signal: interrupted }).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof ConnectionError || failure instanceof UnexpectedResponseError || !seen)
    return [
      {
        check: 'service',
        ok: false,
        finding: `no valid response from ${profile.base_url}. ${messageOf(failure)}`,
        remedy: 'Check the base URL, that the service is running, and any proxy or VPN in between.',
        exitCode: exitCodes.unavailable,
      },
    ]
  const { headers, at } = seen
  return [
    { check: 'service', ok: true, finding: `${profile.base_url} is reachable` },
    ofClock(headers, at),
    ofToken(failure),
    ...(failure ? [] : [ofScopes(profile)]),
    ofVersion(headers),
    ...(failure ? [] : [ofRateLimit(headers)]),
  ]
}

function ofClock(headers: HeadersLike, at: number): Finding {
  const date = Date.parse(headers.get('date') ?? '')
  // The Date header contains whole seconds, so it is half a second old on average.
  const difference = Math.round((at - date - 500) / 1000)
  const ok = Math.abs(difference) <= clockDifferenceMaxSeconds
  const side = difference > 0 ? 'ahead of' : 'behind'
  return {
    check: 'clock',
    ok,
    finding:
      Math.abs(difference) <= 1 ? "in sync with the service's" : `${Math.abs(difference)} s ${side} the service's`,
    ...(ok ? {} : { remedy: 'Set this machine’s clock (NTP): webhook signatures are valid for five minutes.' }),
  }
}

function ofToken(failure: unknown): Finding {
  if (failure === undefined) return { check: 'token', ok: true, finding: 'issued and accepted' }
  const isUnauthorized = failure instanceof AuthenticationError
  return {
    check: 'token',
    ok: false,
    finding: messageOf(failure),
    remedy: isUnauthorized
      ? 'Log in again: investor-token login'
      : 'Retry. If it fails again, contact support with the request id that --debug prints.',
    exitCode: exitCodes.notPermitted,
  }
}

function ofScopes({ scopes }: Profile): Finding {
  const missing = allScopes.filter((scope) => !scopes.includes(scope))
  const rest = missing.length === 0 ? '' : `; not granted: ${missing.join(', ')}`
  return { check: 'scopes', ok: true, finding: `${scopes.join(', ')}${rest}` }
}

function ofVersion(headers: HeadersLike): Finding {
  const version = headers.get('st-api-version') ?? 'unknown'
  const isBeta = headers.get('st-api-version-beta') === 'true'
  const ok = version === apiVersion
  return {
    check: 'API version',
    ok,
    finding: `${version}${isBeta ? ' (beta)' : ''}`,
    ...(ok ? {} : { remedy: `This CLI supports API version ${apiVersion}: install the CLI version of the service.` }),
  }
}

function ofRateLimit(headers: HeadersLike): Finding {
  const [, limit, window] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  const [, left] = /;r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  if (limit === undefined || left === undefined) return { check: 'rate limit', ok: true, finding: 'unknown' }
  return { check: 'rate limit', ok: true, finding: `${left} of ${limit} requests left per ${window} s` }
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : ''
}

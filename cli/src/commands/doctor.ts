import { statSync } from 'node:fs'
import { AuthenticationError, ConnectionError, type HeadersLike, UnexpectedAnswerError } from '@investor-token/sdk'
import type { Command } from 'commander'
import { readEnvironment } from '../base/environment.ts'
import { type ExitCode, exitCodes, Failure } from '../base/failure.ts'
import { allScopes, apiVersion } from '../base/generated/operations.ts'
import { interrupted } from '../base/interruption.ts'
import { harmless, paint, print } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { isPrivate, type Profile } from '../session/profiles.ts'
import { currentProfile, type GlobalOptions, openClient, profileName } from '../session/session.ts'
import { leaf } from './leaf.ts'

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly finding: string
  readonly remedy?: string
  /** What the command ends with when this is the first that is not well. */
  readonly exitCode?: ExitCode
}

// The service's own date has whole seconds; webhooks are refused at 300.
const clockDifferenceMaxSeconds = 30

export function addDoctor(program: Command): void {
  leaf(program, 'doctor', 'Look whether everything is well, and say what to do', ['doctor', 'doctor --json']).action(
    doctor,
  )
}

async function doctor(options: GlobalOptions): Promise<void> {
  const findings = await examine(options)
  if (options.json) print(toJson(findings.map(({ check, ok, finding, remedy }) => ({ check, ok, finding, remedy }))))
  else for (const one of findings) print(lineOf(one))
  const bad = findings.find(({ ok }) => !ok)
  if (bad) throw new Failure(bad.exitCode ?? exitCodes.refused, `Not everything is well: ${bad.check}.`)
}

function lineOf({ check, ok, finding, remedy }: Finding): string {
  const mark = ok ? paint('green', '✔') : paint('red', '✖')
  return `${mark} ${harmless(`${check}: ${finding}${remedy === undefined ? '' : `\n    ${remedy}`}`)}`
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
  if (clientSecret !== undefined) return { check, ok: true, finding: 'the credential is in the environment' }
  const mode = statSync(configFile).mode & 0o777
  return { check, ok: isPrivate(mode), finding: `${configFile}, mode ${mode.toString(8).padStart(4, '0')}` }
}

function ofProfile({ client_id }: Profile, options: GlobalOptions): Finding {
  const where =
    readEnvironment().clientSecret === undefined || options.profile !== undefined ? profileName(options) : 'environment'
  return { check: 'profile', ok: true, finding: `${where}, credential ${client_id}` }
}

/** One request for a token and one with it tell all of the rest, whether they are accepted or not. */
async function ofService(profile: Profile, options: GlobalOptions): Promise<Finding[]> {
  let seen: { headers: HeadersLike; at: number } | undefined
  const client = openClient(profile, options, {
    maxRetries: 1,
    fetch: async (url, request) => {
      const answer = await fetch(url, request as RequestInit)
      seen = { headers: answer.headers, at: Date.now() }
      return answer
    },
  })
  const refusal = await client.requests.list({ limit: 10, signal: interrupted }).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refusal instanceof ConnectionError || refusal instanceof UnexpectedAnswerError || !seen)
    return [
      {
        check: 'service',
        ok: false,
        finding: `${profile.base_url} does not answer as it should. ${messageOf(refusal)}`,
        remedy: 'Is the address right, does the service run, and does a proxy or VPN stand between?',
        exitCode: exitCodes.unavailable,
      },
    ]
  const { headers, at } = seen
  return [
    { check: 'service', ok: true, finding: `${profile.base_url} answers` },
    ofClock(headers, at),
    ofToken(refusal),
    ...(refusal ? [] : [ofScopes(profile)]),
    ofVersion(headers),
    ...(refusal ? [] : [ofRate(headers)]),
  ]
}

function ofClock(headers: HeadersLike, at: number): Finding {
  const date = Date.parse(headers.get('date') ?? '')
  // A date without fractions is half a second old on average.
  const difference = Math.round((at - date - 500) / 1000)
  const ok = Math.abs(difference) <= clockDifferenceMaxSeconds
  const side = difference > 0 ? 'ahead of' : 'behind'
  return {
    check: 'clock',
    ok,
    finding:
      Math.abs(difference) <= 1 ? "the same as the service's" : `${Math.abs(difference)} s ${side} the service's`,
    ...(ok ? {} : { remedy: 'Set the clock of this machine (NTP): signatures of webhooks are good for five minutes.' }),
  }
}

function ofToken(refusal: unknown): Finding {
  if (refusal === undefined) return { check: 'token', ok: true, finding: 'obtained, and it works' }
  const isWrong = refusal instanceof AuthenticationError
  return {
    check: 'token',
    ok: false,
    finding: messageOf(refusal),
    remedy: isWrong
      ? 'Log in again: investor-token login'
      : 'Try again; if it stays, tell us the request id of --debug.',
    exitCode: exitCodes.notPermitted,
  }
}

function ofScopes({ scopes }: Profile): Finding {
  const missing = allScopes.filter((scope) => !scopes.includes(scope))
  const rest = missing.length === 0 ? '' : `; without ${missing.join(', ')}`
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
    ...(ok ? {} : { remedy: `This program is made for ${apiVersion}: install the one that belongs to the service.` }),
  }
}

function ofRate(headers: HeadersLike): Finding {
  const [, limit, window] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  const [, left] = /;r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  if (limit === undefined || left === undefined) return { check: 'rate limit', ok: true, finding: 'not told' }
  return { check: 'rate limit', ok: true, finding: `${left} of ${limit} requests in ${window} s left` }
}

function messageOf(refusal: unknown): string {
  return refusal instanceof Error ? refusal.message : ''
}

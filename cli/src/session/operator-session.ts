import { readEnvironment } from '../base/environment.ts'
import { exitCodes, Failure, usageFailure } from '../base/failure.ts'
import { type OperatorProfile, readOperatorProfiles } from './profiles.ts'
import { type GlobalOptions, profileName } from './session.ts'

/** Returns the token from the environment if it is set there, otherwise from the profile. */
export function currentOperator(options: GlobalOptions): OperatorProfile {
  const environment = readEnvironment()
  const { operatorUrl, operatorToken } = environment
  // Both or neither: a token from a profile must not be sent to a URL from the environment.
  if ((operatorUrl === undefined) !== (operatorToken === undefined))
    throw usageFailure(
      'INVESTOR_TOKEN_OPERATOR_URL and INVESTOR_TOKEN_OPERATOR_TOKEN must be set together.',
      'Set both, or none of them to use a profile.',
    )
  if (operatorUrl !== undefined && operatorToken !== undefined && options.profile === undefined)
    return { base_url: operatorUrl, token: operatorToken }
  const name = profileName(options, environment)
  const profile = readOperatorProfiles(environment.configFile)[name]
  if (profile) return profile
  throw new Failure(
    exitCodes.notPermitted,
    `Not logged in as an operator: profile "${name}" does not exist.`,
    'Run: investor-token operator login',
  )
}

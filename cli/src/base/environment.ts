import { homedir } from 'node:os'
import { join } from 'node:path'
import { host } from './host.ts'

/** Only this file reads environment variables. Node itself reads NO_COLOR and FORCE_COLOR. */
export interface Environment {
  readonly configFile: string
  readonly profile: string | undefined
  readonly baseUrl: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly scopes: string | undefined
  readonly operatorUrl: string | undefined
  readonly operatorToken: string | undefined
}

export function readEnvironment(): Environment {
  const read = (name: string) => host().variables[name] || undefined
  const configHome = read('XDG_CONFIG_HOME') ?? join(homedir(), '.config')
  return {
    configFile: read('INVESTOR_TOKEN_CONFIG') ?? join(configHome, 'investor-token', 'config.json'),
    profile: read('INVESTOR_TOKEN_PROFILE'),
    baseUrl: read('INVESTOR_TOKEN_BASE_URL'),
    clientId: read('INVESTOR_TOKEN_CLIENT_ID'),
    clientSecret: read('INVESTOR_TOKEN_CLIENT_SECRET'),
    scopes: read('INVESTOR_TOKEN_SCOPES'),
    operatorUrl: read('INVESTOR_TOKEN_OPERATOR_URL'),
    operatorToken: read('INVESTOR_TOKEN_OPERATOR_TOKEN'),
  }
}

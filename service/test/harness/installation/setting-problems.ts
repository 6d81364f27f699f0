import assert from 'node:assert/strict'
import { ConfigError, readConfig } from '../../../src/platform/base/config.ts'
import { testKeys } from './test-keys.ts'

/** Returns the problems that a process with these settings reports when it starts. */
export function problemsOf(settings: Record<string, string>): readonly string[] {
  try {
    readConfig(settings)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

/** All settings that live requires. */
export const live = {
  ENVIRONMENT: 'live',
  PUBLIC_BASE_URL: 'https://api.example.com',
  OPERATOR_BASE_URL: 'https://operators.example.com',
  WALLET_PROOF_URL: 'https://invest.example.com',
  DATABASE_URL: 'postgres://a/b?sslmode=verify-full',
  REDIS_URL: 'rediss://a',
  ...testKeys,
  SMTP_URL: 'smtps://mail',
  MAIL_FROM: 'a@b.example',
}

/** The settings of a process in development. */
export const development = { ...testKeys, DATABASE_URL: 'postgres://a/b' }

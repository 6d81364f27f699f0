import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startNode } from '../../../test/harness/process.ts'
import { ConfigError, developmentMasterKeys, developmentPeppers, developmentSigningKeys, readConfig } from './config.ts'

const key = (seed: string) => `k1:${Buffer.from(seed.padEnd(32, '.')).toString('base64url')}`
const live = {
  ENVIRONMENT: 'live',
  DATABASE_URL: 'postgres://a/b',
  REDIS_URL: 'redis://a',
  TOKEN_SIGNING_KEYS: key('random signing'),
  SECRET_PEPPERS: key('random pepper'),
  DATA_MASTER_KEYS: key('random master'),
  SMTP_URL: 'smtps://mail',
  MAIL_FROM: 'a@b.example',
}

function problemsOf(settings: Record<string, string>): readonly string[] {
  try {
    readConfig(settings)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

describe('configuration', () => {
  test('R252: without ENVIRONMENT a process runs in development and requires only DATABASE_URL', () => {
    assert.equal(readConfig({ DATABASE_URL: 'postgres://a/b' }).environment, 'development')
    assert.deepEqual(problemsOf({}), ['DATABASE_URL is missing. Set it; docs/configuration.md describes it.'])
  })

  test('live accepts secrets that are not development keys', () => {
    assert.deepEqual(problemsOf(live), [])
  })

  for (const environment of ['staging', 'live'])
    for (const [name, value] of [
      ['TOKEN_SIGNING_KEYS', developmentSigningKeys],
      ['SECRET_PEPPERS', developmentPeppers],
      ['DATA_MASTER_KEYS', developmentMasterKeys],
      ['TOKEN_SIGNING_KEYS', `${live.TOKEN_SIGNING_KEYS},${developmentSigningKeys}`],
    ] as const)
      test(`${environment} rejects a development key in ${name}, also after a real one`, () => {
        const [problem = ''] = problemsOf({ ...live, ENVIRONMENT: environment, [name]: value })
        assert.match(problem, new RegExp(`^${name} is invalid: it contains a development key`))
      })

  for (const name of Object.keys(live).filter((one) => one !== 'ENVIRONMENT'))
    test(`live reports ${name} if it is missing`, () => {
      const { [name as keyof typeof live]: _, ...rest } = live
      assert.deepEqual(problemsOf(rest), [`${name} is missing. Set it; docs/configuration.md describes it.`])
    })

  for (const [name, value, problem] of [
    ['ENVIRONMENT', 'production', /must be one of development, staging, live/],
    ['PORT', '80a', /whole number from 0 to 65535/],
    ['PORT', '65536', /whole number from 0 to 65535/],
    ['DATABASE_URL', 'mysql://a', /starts with postgres:\/\//],
    ['CELLS', 'main', /name=postgres:\/\//],
    ['CELLS', 'a=postgres://x/1 a=postgres://x/2', /same name/],
    ['CHAINS', 'anvil', /written name=http:\/\/… or name=http:\/\/…,http:\/\/…/],
    ['CHAINS', 'anvil=http://a,b', /starts with http:\/\//],
    ['CHAINS', 'anvil=http://a,http://a/', /lists a node of anvil twice/],
    ['CHAINS', 'anvil=http://a anvil=http://b', /same name/],
    ['MAX_FEE_GWEI', '0', /whole number from 1 to 1000000/],
    ['TOKEN_SIGNING_KEYS', 'k1:c2hvcnQ', /has 5 bytes but needs at least 32/],
    ['TOKEN_SIGNING_KEYS', 'no key', /id:secret/],
    ['TOKEN_SIGNING_KEYS', `${live.TOKEN_SIGNING_KEYS},${live.TOKEN_SIGNING_KEYS}`, /same id/],
    ['TRUSTED_PROXIES', '10.0.0.0/8, everybody', /list of IP addresses/],
    ['REDIS_URL', 'http://x', /redis:\/\//],
    ['LOG_LEVEL', 'loud', /must be one of/],
  ] as const)
    test(`an invalid ${name} (${value.slice(0, 20)}) is reported with its rule and without a secret`, () => {
      const problems = problemsOf({ DATABASE_URL: 'postgres://a/b', [name]: value })
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', new RegExp(`^${name} is invalid: `))
      assert.match(problems[0] ?? '', problem)
      if (name === 'TOKEN_SIGNING_KEYS') assert.ok(!problems[0]?.includes(value))
    })

  test('a chain may have several nodes, and a chain id', () => {
    const { chains } = readConfig({ ...live, CHAINS: 'ethereum=https://a,https://b/key mars:42=http://c' })
    assert.deepEqual(
      [...chains],
      [
        ['ethereum', { urls: ['https://a', 'https://b/key'], chainId: undefined }],
        ['mars', { urls: ['http://c'], chainId: 42 }],
      ],
    )
  })

  test('the owner login also applies to the cells', () => {
    const owner = { ...live, OWNER_DATABASE_URL: 'postgres://owner@a/b' }
    assert.deepEqual([...readConfig(owner).ownerCells], [['main', 'postgres://owner@a/b']])
    assert.match(problemsOf({ ...owner, CELLS: 'x=postgres://a/c' })[0] ?? '', /^OWNER_CELLS is missing/)
  })

  test('a process with invalid settings reports all of them, one sentence each, and exits with code 1', async () => {
    const main = ['--import', './src/main/telemetry.ts', './src/main/api.ts']
    const process = startNode(main, { ENVIRONMENT: 'live', PORT: 'x', DATABASE_URL: 'postgres://a/b' })
    assert.equal(await process.ended, 1)
    assert.deepEqual(process.output.map((line) => line.split(' ')[0]).toSorted(), [
      'DATA_MASTER_KEYS',
      'MAIL_FROM',
      'PORT',
      'REDIS_URL',
      'SECRET_PEPPERS',
      'SMTP_URL',
      'TOKEN_SIGNING_KEYS',
    ])
  })
})

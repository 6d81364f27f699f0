import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startNode } from '../../../test/harness/installation/process.ts'
import { development, live, problemsOf } from '../../../test/harness/installation/setting-problems.ts'
import { testKey, testKeys } from '../../../test/harness/installation/test-keys.ts'
import { type Connections, indexerConnections, workerConnections } from '../../main/connections.ts'
import { readConfig, readOwnerConfig } from './config.ts'
import { formatKey } from './key-ring.ts'

describe('configuration', () => {
  test('R252: without ENVIRONMENT a process runs in development and requires only DATABASE_URL', () => {
    const config = readConfig({ DATABASE_URL: 'postgres://a/b' })
    assert.equal(config.environment, 'development')
    assert.deepEqual([config.host, config.operatorHost, config.metricsHost], Array(3).fill('127.0.0.1'))
    assert.deepEqual(problemsOf({}), ['DATABASE_URL is missing. Set it; docs/configuration.md describes it.'])
  })

  test('live accepts a complete configuration', () => {
    assert.deepEqual(problemsOf(live), [])
  })

  for (const [kind, secret] of [
    ['zero bytes', Buffer.alloc(32)],
    ['few different bytes', Buffer.from('é0123456789abcd'.repeat(3), 'latin1')],
    ['a sentence', Buffer.from('Zephyr quickly vexed jumbo frog & lynx, 1984!')],
  ] as const)
    test(`a key of ${kind} is rejected, even after a real one`, () => {
      const weak = `${testKeys.SECRET_PEPPERS},${formatKey({ id: 'weak', secret })}`
      assert.deepEqual(problemsOf({ ...live, SECRET_PEPPERS: weak }), [
        'SECRET_PEPPERS is invalid: the key with id weak is not random; docs/configuration.md shows how to generate one.',
      ])
    })

  test('a secret is rejected if it is used for two purposes or twice in a ring, whatever its id and tail', () => {
    const again = (text: string) => {
      const secret = Buffer.concat([Buffer.from(text.split(':')[1] ?? '', 'base64url'), Buffer.from('tail')])
      return formatKey({ id: 'again', secret })
    }
    const old = `${testKeys.DATA_MASTER_KEYS},${again(testKeys.TOKEN_SIGNING_KEYS)}`
    assert.deepEqual(problemsOf({ ...live, DATA_MASTER_KEYS: old }), [
      'DATA_MASTER_KEYS is invalid: the key with id again is also in TOKEN_SIGNING_KEYS; generate another one.',
    ])
    const twice = `${testKeys.SECRET_PEPPERS},${again(testKeys.SECRET_PEPPERS)}`
    assert.match(problemsOf({ ...live, SECRET_PEPPERS: twice })[0] ?? '', /two keys have the same secret/)
  })

  for (const name of ['HOST', 'OPERATOR_HOST', 'METRICS_HOST']) {
    for (const given of [{}, { ENVIRONMENT: 'development' }])
      test(`development, ${'ENVIRONMENT' in given ? 'set' : 'by default'}, listens on no other ${name} than loopback`, () => {
        for (const address of ['0.0.0.0', '::', '10.0.0.1', 'api.internal', '128.0.0.1'])
          assert.deepEqual(problemsOf({ ...development, ...given, [name]: address }), [
            `${name} is invalid: development listens on loopback only; set ENVIRONMENT to staging or live to use another address.`,
          ])
        for (const address of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
          assert.deepEqual(problemsOf({ ...development, ...given, [name]: address }), [])
      })
    test(`live listens on any ${name}`, () => assert.deepEqual(problemsOf({ ...live, [name]: '0.0.0.0' }), []))
  }

  for (const environment of ['staging', 'live'])
    for (const [name, plain, encrypted] of [
      [
        'SMTP_URL',
        ['smtp://a', 'smtp://a?requireTLS=false', 'smtp://a?requireTLS=true&requireTLS=false'],
        'smtp://a?requireTLS=true',
      ],
      ['REDIS_URL', ['redis://a'], 'rediss://a'],
      [
        'DATABASE_URL',
        ['postgres://a/b', 'postgres://a/b?sslmode=require', 'postgres://localhost/b?host=a'],
        'postgresql://a/b?sslmode=verify-full',
      ],
      ['WORKER_DATABASE_URL', ['postgres://a/b'], 'postgres://a/b?sslmode=verify-full'],
      ['OWNER_DATABASE_URL', ['postgres://a/b'], 'postgres:///b?host=/var/run/postgresql'],
      ['CELLS', ['main=postgres://localhost/b x=postgres://a/b'], 'main=postgres://127.0.0.1/b'],
      ['CHAINS', ['x=https://a y=http://a'], 'x=https://a y=http://127.0.0.1:8545'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://a:4318'], 'http://[::1]:4318'],
      ['PUBLIC_BASE_URL', ['http://a'], 'https://a'],
      ['OPERATOR_BASE_URL', ['http://a'], 'http://localhost'],
      ['WALLET_PROOF_URL', ['http://a.example'], 'https://a.example'],
    ] as const)
      test(`${environment} rejects a ${name} without TLS unless it stays on this machine`, () => {
        const given = { ...live, ENVIRONMENT: environment }
        for (const url of plain) {
          const problems = problemsOf({ ...given, [name]: url })
          assert.equal(problems.length, 1, url)
          assert.match(problems[0] ?? '', new RegExp(`^${name} is invalid: it must be encrypted outside development: `))
        }
        assert.deepEqual(problemsOf({ ...given, [name]: encrypted }), [])
      })

  for (const environment of ['staging', 'live'])
    test(`${environment} rejects an identity provider without TLS, even that of npm run dev on this machine`, () => {
      const given = { ...live, ENVIRONMENT: environment, OIDC_CLIENT_IDS: 'demo=a', OIDC_CLIENT_SECRETS: 'demo=b' }
      for (const issuer of ['http://127.0.0.1:8083', 'http://localhost', 'http://login.example', 'login.example'])
        assert.deepEqual(problemsOf({ ...given, OIDC_PROVIDERS: `demo=${issuer}` }), [
          'OIDC_PROVIDERS is invalid: the issuer of demo must be a URL that starts with https://.',
        ])
      assert.deepEqual(problemsOf({ ...given, OIDC_PROVIDERS: 'demo=https://login.example' }), [])
    })

  test('an identity provider needs a client id, a secret and a different issuer', () => {
    assert.deepEqual(problemsOf({ ...live, OIDC_PROVIDERS: 'a=https://a' }), [
      'OIDC_CLIENT_IDS is invalid: it does not list a of OIDC_PROVIDERS.',
      'OIDC_CLIENT_SECRETS is invalid: it does not list a of OIDC_PROVIDERS.',
    ])
    const both = { OIDC_CLIENT_IDS: 'a=1 b=2', OIDC_CLIENT_SECRETS: 'a=1 b=2' }
    assert.deepEqual(problemsOf({ ...live, ...both, OIDC_PROVIDERS: 'a=https://x b=https://x' }), [
      'OIDC_PROVIDERS is invalid: two providers have the same issuer.',
    ])
    assert.match(problemsOf({ ...live, OIDC_PROVIDERS: 'https://a' })[0] ?? '', /must be written name=value/)
  })

  for (const name of Object.keys(live).filter((one) => one !== 'ENVIRONMENT'))
    test(`live reports ${name} if it is missing`, () => {
      const { [name as keyof typeof live]: _, ...rest } = live
      assert.deepEqual(problemsOf(rest), [`${name} is missing. Set it; docs/configuration.md describes it.`])
    })

  for (const [name, value, problem] of [
    ['ENVIRONMENT', 'production', /must be one of development, staging, live/],
    ['RELEASED_VERSIONS', '2026-07-02,2026-07-03', /must be one of 2026-07-02/],
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
    ['TOKEN_SIGNING_KEYS', `${testKey('test', 'one')},${testKey('test', 'two')}`, /same id/],
    ['TRUSTED_PROXIES', '10.0.0.0/8, everybody', /list of IP addresses/],
    ['REDIS_URL', 'http://x', /redis:\/\//],
    ['WALLET_PROOF_URL', 'http://intranet', /name with a dot/],
    ['LOG_LEVEL', 'loud', /must be one of/],
  ] as const)
    test(`an invalid ${name} (${value.slice(0, 20)}) is reported with its rule and without a secret`, () => {
      const problems = problemsOf({ ...development, [name]: value })
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', new RegExp(`^${name} is invalid: `))
      assert.match(problems[0] ?? '', problem)
      if (name === 'TOKEN_SIGNING_KEYS') assert.ok(!problems[0]?.includes(value))
    })

  test('a chain may have several nodes, and a chain id', () => {
    const { chains } = readConfig({ ...live, CHAINS: 'ethereum=https://a,https://b/key mars:42=https://c' })
    assert.deepEqual(
      [...chains],
      [
        ['ethereum', { urls: ['https://a', 'https://b/key'], chainId: undefined }],
        ['mars', { urls: ['https://c'], chainId: 42 }],
      ],
    )
  })

  test('the owner login also applies to the cells', () => {
    const owner = { ...development, OWNER_DATABASE_URL: 'postgres://owner@a/b' }
    assert.deepEqual([...readConfig(owner).ownerCells], [['main', 'postgres://owner@a/b']])
    assert.match(problemsOf({ ...owner, CELLS: 'x=postgres://a/c' })[0] ?? '', /^OWNER_CELLS is missing/)
  })

  test('the login of the job queue also applies to the cells, and must be given for every cell', () => {
    const worker = { ...development, WORKER_DATABASE_URL: 'postgres://worker@a/b' }
    assert.deepEqual([...readConfig(worker).workerCells], [['main', 'postgres://worker@a/b']])
    const cells = { ...worker, CELLS: 'x=postgres://a/c y=postgres://a/d' }
    assert.match(problemsOf(cells)[0] ?? '', /^WORKER_CELLS is missing/)
    assert.deepEqual(problemsOf({ ...cells, WORKER_CELLS: 'x=postgres://worker@a/c' }), [
      'WORKER_CELLS is invalid: it does not list y of CELLS.',
    ])
  })

  test('migrations need the databases of the owner and no other setting', () => {
    const owner = 'postgres://owner@a/b?sslmode=verify-full'
    const cells = 'x=postgres://owner@a/c?sslmode=verify-full'
    const environment = { ENVIRONMENT: 'live' }
    assert.deepEqual(readOwnerConfig({ ...environment, OWNER_DATABASE_URL: owner }), {
      ownerDatabaseUrl: owner,
      ownerCells: new Map([['main', owner]]),
      areCellsListed: false,
    })
    const both = readOwnerConfig({ ...environment, OWNER_DATABASE_URL: owner, OWNER_CELLS: cells })
    assert.deepEqual([...both.ownerCells.keys()], ['x'])
    assert.equal(readOwnerConfig({ DATABASE_URL: 'postgres://a/b' }).ownerDatabaseUrl, 'postgres://a/b')
    assert.throws(
      () => readOwnerConfig({ ...environment, OWNER_DATABASE_URL: owner, CELLS: cells }),
      /OWNER_CELLS is miss/,
    )
    assert.throws(() => readOwnerConfig(environment), /DATABASE_URL is missing/)
    assert.throws(() => readOwnerConfig({ ...environment, OWNER_DATABASE_URL: 'postgres://a/b' }), /OWNER_DATABASE_URL/)
  })

  test('with the defaults, nine processes open fewer connections to a cell than PostgreSQL accepts', () => {
    const config = readConfig({ ...development, CHAINS: 'anvil=http://127.0.0.1:1' })
    const sum = ({ app, worker, highVolume }: Connections) => app + worker + highVolume
    const ofWorker = sum(workerConnections(config, { isCell: true }))
    const ofIndexer = sum(indexerConnections(config))
    assert.deepEqual([config.databasePoolMax, ofWorker, ofIndexer], [10, 12, 7])
    // Three of PostgreSQL's default hundred are reserved for superusers.
    assert.ok(4 * config.databasePoolMax + 4 * ofWorker + ofIndexer <= 97)
    assert.deepEqual(workerConnections({ databasePoolMax: 2 }, { isCell: false }), { app: 1, worker: 2, highVolume: 0 })
  })

  test('a process with invalid settings reports all of them, one sentence each, and exits with code 1', async () => {
    const main = ['--import', './src/main/telemetry.ts', './src/main/api.ts']
    const process = startNode(main, { ENVIRONMENT: 'live', PORT: 'x', DATABASE_URL: 'postgres://127.0.0.1/b' })
    assert.equal(await process.ended, 1)
    assert.deepEqual(process.output.map((line) => line.split(' ')[0]).toSorted(), [
      'DATA_MASTER_KEYS',
      'MAIL_FROM',
      'OPERATOR_BASE_URL',
      'PORT',
      'PUBLIC_BASE_URL',
      'REDIS_URL',
      'SECRET_PEPPERS',
      'SMTP_URL',
      'TOKEN_SIGNING_KEYS',
      'WALLET_PROOF_URL',
    ])
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createEmptyDatabase, ownerRows, redisUrl } from './harness/installation/database.ts'
import { administratorOf, inviteTwo } from './harness/installation/maintain-commands.ts'
import { runMaintain, runMaintainJson } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

describe('maintain', async () => {
  let installation: TestInstallation
  const { maintain, maintainJson, createTenant } = administratorOf(() => database.url)

  const database = await createEmptyDatabase()
  after(async () => {
    await installation?.end()
    await database.drop()
  })

  test('from an empty database to a working, rotated and disabled credential', async () => {
    // Uses no other secret, as in production.
    const owner = { ENVIRONMENT: 'live', OWNER_DATABASE_URL: database.url }
    assert.ok((await runMaintainJson('migrate', owner)).applied >= 3)
    assert.equal((await maintainJson('migrate')).applied, 0)

    const tenant = await createTenant('Acme')
    await maintainJson(`add-user --tenant ${tenant} --name Ann --email ann@example.com`)
    const scopes = '--scopes order.read,offering.read --requests-per-minute 100 --default-version 2026-07-02'
    const issued = await maintainJson(`issue-credential --tenant ${tenant} ${scopes}`)
    const client: string = issued.client_id
    installation = new TestInstallation({ DATABASE_URL: database.url, REDIS_URL: redisUrl })
    const api = await installation.startApi()
    const withSecret = (clientSecret: string) => ({ clientId: client, clientSecret })
    const response = await api.auth(withSecret(issued.client_secret), ['order.read'])
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('ratelimit-policy'), '"credential";q=100;w=60')
    assert.equal((await api.auth(withSecret(issued.client_secret), ['order.create'])).status, 403)

    const rotated = await maintainJson(`rotate-credential --tenant ${tenant} --client ${client} --overlap-hours 1`)
    for (const secret of [issued.client_secret, rotated.client_secret])
      assert.equal((await api.auth(withSecret(secret), ['order.read'])).status, 200)
    await maintainJson(`disable-credential --tenant ${tenant} --client ${client}`)
    assert.equal((await api.auth(withSecret(rotated.client_secret), ['order.read'])).status, 401)
  })

  test('create-tenant invites two people itself, and every command is in the audit log', async () => {
    const { tenant_id: tenant, invited } = await maintainJson(['create-tenant', '--name', 'Audited', ...inviteTwo])
    assert.deepEqual(invited, ['ada@example.com', 'grace@example.com'])
    const olga = '--name Olga --email olga@example.com --role operator'
    const { user_id: user } = await maintainJson(`add-user --tenant ${tenant} ${olga}`)
    const { client_id: client } = await maintainJson(`issue-credential --tenant ${tenant}`)
    await maintainJson(`rotate-credential --tenant ${tenant} --client ${client}`)
    for (const _ of ['once', 'twice']) await maintainJson(`disable-credential --tenant ${tenant} --client ${client}`)
    await maintainJson(`rotate-data-key --tenant ${tenant}`)
    await maintainJson(`rewrap-data-keys --tenant ${tenant}`)
    // The second run changes nothing.
    for (const _ of ['once', 'twice']) await maintainJson(`set-provider --tenant ${tenant} --provider acme`)

    const rows = await ownerRows(
      database.url,
      'select invited_by, identity_id from directory.operator_user where tenant_id = $1',
      [tenant],
    )
    assert.deepEqual(
      rows,
      [1, 2, 3].map(() => ({ invited_by: null, identity_id: null })),
    )
    const operatorApi = await installation.startOperatorApi()
    const { token } = await installation.createOperator(tenant)
    const { body } = await operatorApi.call('GET', '/audit?direction=asc', { token })
    assert.deepEqual(
      body.results.map(({ action, actor_type: type }: Record<string, string>) => [action, type]),
      [
        'tenant.created',
        'user.invited',
        'user.invited',
        'user.invited',
        'credential.issued',
        'credential.rotated',
        'credential.disabled',
        'tenant.data_key_rotated',
        'tenant.data_keys_rewrapped',
        'tenant.identity_provider_changed',
      ].map((action) => [action, 'maintenance']),
    )
    assert.doesNotMatch(JSON.stringify(body), /Olga|olga@|its_|itp_/)
    const unbound = await maintain(`break-glass --tenant ${tenant} --user ${user}`)
    assert.match(unbound.output, /has no user .* who has signed in before/)
    await maintainJson(`disable-tenant --tenant ${tenant}`)
    assert.equal((await operatorApi.call('GET', '/audit', { token })).status, 401)
  })

  test('verify-audit prints the heads of the chains and reports the first broken row', async () => {
    const tenant = await createTenant('Verified')
    const add = (name: string) => maintainJson(`add-user --tenant ${tenant} --name Ann --email ${name}@example.com`)
    for (const count of [1, 2, 3]) await add(`ann-${count}`)
    const heads = await maintainJson(`verify-audit --tenant ${tenant}`)
    assert.match(heads.directory, /^6:[0-9a-f]{64}$/)
    assert.equal(heads.cell, heads.directory, 'one database has one chain')
    const savedHead = heads.cell
    await add('ann-4')
    await maintainJson(`verify-audit --tenant ${tenant} --expect ${savedHead}`)

    const other = `6:${'ab'.repeat(32)}`
    const unexpected = await maintain(`verify-audit --tenant ${tenant} --expect ${savedHead} --expect ${other}`)
    assert.equal(unexpected.code, 1)
    assert.match(unexpected.output, new RegExp(`No audit log of the tenant contains the row ${other} any more`))

    // Removes the last rows and adjusts the head: only a head saved elsewhere reveals it.
    await installation.owner(async (client) => {
      await client.query('delete from base.audit_log where tenant_id = $1 and sequence > 3', [tenant])
      await client.query(
        `update base.audit_head set sequence = 3,
           hash = (select hash from base.audit_log where tenant_id = $1 and sequence = 3) where tenant_id = $1`,
        [tenant],
      )
    })
    assert.equal((await maintain(`verify-audit --tenant ${tenant}`)).code, 0)
    const truncated = await maintain(`verify-audit --tenant ${tenant} --expect ${savedHead}`)
    assert.equal(truncated.code, 1)
    assert.match(truncated.output, /any more/)

    await installation.rows(`update base.audit_log set action = 'x.y' where tenant_id = $1 and sequence = 2`, [tenant])
    const broken = await maintain(`verify-audit --tenant ${tenant}`)
    assert.equal(broken.code, 1)
    assert.match(broken.output, /in the directory is broken at row 2: the row does not match its hash/)
    assert.match(broken.output, /in the cell is broken at row 2: the row does not match its hash/)
  })

  test('without --json it prints a table and a note that the secret is shown only once', async () => {
    const tenant = await createTenant('Table')
    const { output } = await maintain(`issue-credential --tenant ${tenant}`)
    assert.match(output, /│ client secret\s+│ its_[\w-]{43}/)
    assert.match(output, /shown only once/)
  })

  test('set-tenant-limits changes and prints the limits of a tenant, and both audit logs name the change', async () => {
    const tenant = await createTenant('Limited')
    const set = (limits = '') => maintainJson(`set-tenant-limits --tenant ${tenant}${limits}`)
    const defaults = {
      tenant_id: tenant,
      requests_per_minute: 6_000,
      credentials: 50,
      users: 200,
      personal_tokens: 500,
      invitations_per_day: 50,
      payment_providers: 20,
      webhook_endpoints: 50,
      file_mebibytes: 20_480,
    }
    assert.deepEqual(await set(), defaults)
    const changed = await set(' --requests-per-minute 40 --webhook-endpoints 3')
    assert.deepEqual(changed, { ...defaults, requests_per_minute: 40, webhook_endpoints: 3 })
    assert.deepEqual(await set(), changed)
    const rows = await ownerRows(
      database.url,
      `select before, after from base.audit_log where action = 'tenant.limits_changed' order by sequence`,
    )
    assert.deepEqual(rows, [
      { before: { requests_per_minute: 6_000 }, after: { requests_per_minute: 40 } },
      { before: { webhook_endpoints: 50 }, after: { webhook_endpoints: 3 } },
    ])
    await maintainJson(`issue-credential --tenant ${tenant}`)
    const { code, output } = await maintain(`issue-credential --tenant ${tenant}`)
    assert.equal(code, 1)
    assert.match(output, /^The tenant may have at most 40 requests per minute/)
  })

  const unknown = `--tenant ${crypto.randomUUID()}`
  for (const [what, args, message] of [
    ['the limits of a tenant that does not exist', `set-tenant-limits ${unknown}`, /Tenant .* does not exist/],
    ['a limit that is too high', 'set-tenant-limits --credentials 10001', /from 0 to 10000/],
    ['a tenant that does not exist', `issue-credential ${unknown}`, /Tenant .* does not exist/],
    ['an invalid id', 'issue-credential --tenant x', /It must be a UUID/],
    ['a scope that does not exist', `issue-credential ${unknown} --scopes a`, /Unknown scope: a/],
    [
      'a cell that does not exist',
      ['create-tenant', '--name', 'x', '--cell', 'mars', ...inviteTwo],
      /Cell mars does not exist. Known are main/,
    ],
    ['a limit out of range', `issue-credential ${unknown} --requests-per-minute 0`, /from 1 to 60000/],
    ['an unknown version', `issue-credential ${unknown} --default-version 2020-01-01`, /must be one of 2026-07-02/],
    [
      'a credential of another tenant',
      `disable-credential ${unknown} --client ${crypto.randomUUID()}`,
      /has no credential/,
    ],
    ['a role that does not exist', 'add-user --role owner', /must be one of viewer, operator, admin/],
    [
      'an emergency link for a user who does not exist',
      `break-glass ${unknown} --user ${crypto.randomUUID()}`,
      /has no user/,
    ],
    ['a tenant for one person', ['create-tenant', '--name', 'x', ...inviteTwo.slice(0, 2)], /Give --invite twice/],
    [
      'a tenant for one person with the same address written twice',
      ['create-tenant', '--name', 'x', ...inviteTwo.slice(0, 2), '--invite', 'A <ADA@example.com>'],
      /different addresses/,
    ],
    ['a person without a name', 'create-tenant --name x --invite ada@example.com', /must be written/],
    ['an unknown provider', 'set-provider --provider umbrella', /OIDC_PROVIDERS has only acme/],
    ['an invalid head', 'verify-audit --expect 1:ab', /64 hexadecimal digits/],
    ['the audit log of an unknown tenant', `verify-audit ${unknown}`, /does not exist/],
    ['a missing option', 'create-tenant', /required option '--name <name>'/],
    ['an invalid e-mail address', `add-user ${unknown} --name a --email a`, /must be an e-mail address/],
  ] as const)
    test(`${what}: exit code 1 and an error message without a stack trace`, async () => {
      const { code, output } = await maintain(args)
      assert.equal(code, 1, output)
      assert.match(output, message)
      assert.doesNotMatch(output, /at .*\.ts:\d+/)
    })

  test('--help works without any settings', async () => {
    assert.equal((await runMaintain('--help', {})).code, 0)
  })
})

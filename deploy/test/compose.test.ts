import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { readConfig, readOwnerConfig } from '../../service/src/platform/base/config.ts'
import { asOwner, createTestDatabase } from '../../service/test/harness/installation/database.ts'
import { type ComposeService, composeServices, readProject } from './compose.ts'
import { missingProgram } from './missing-program.ts'
import { processNames } from './stack.ts'

describe('deploy/compose.yaml', () => {
  const services = composeServices()

  test('the service accepts the settings of every process', () => {
    const ports = processNames.map((name) => {
      const service = services[name]
      assert.deepEqual(service?.command, [name])
      const { metricsPort, environment } = readConfig(settingsOf(service))
      assert.equal(environment, 'staging', 'development would listen inside the container only')
      return metricsPort
    })
    assert.equal(new Set(ports).size, ports.length, 'each process has its own port for metrics')
    assert.deepEqual(services['migrate']?.command, ['maintain', 'migrate'])
    assert.ok(readOwnerConfig(settingsOf(services['migrate'])).ownerDatabaseUrl)
  })

  test('publishes ports on loopback only, from the service whose network all share', () => {
    for (const [name, { ports, network_mode: network }] of Object.entries(services))
      if (name === 'postgres') for (const port of ports ?? []) assert.match(port, /^127\.0\.0\.1:(\d+):\1$/)
      else assert.deepEqual([network, ports], ['service:postgres', undefined], name)
    assert.ok((services['postgres']?.ports ?? []).length > 0)
  })

  test('starts each service after its dependencies, the processes after their logins, and all hardened', () => {
    for (const [name, { depends_on: needed = [] }] of Object.entries(services))
      for (const other of Array.isArray(needed) ? needed : Object.keys(needed))
        assert.ok(services[other], `${name} depends on ${other}`)
    for (const name of [...processNames, 'maintain']) {
      const { depends_on: needed, read_only: isReadOnly, cap_drop: dropped } = services[name] ?? {}
      assert.deepEqual(needed, { logins: { condition: 'service_completed_successfully' } })
      assert.deepEqual([isReadOnly, dropped], [true, ['ALL']])
    }
  })

  test('its logins can be created twice, and inherit nothing', { skip: missingProgram('psql') }, async () => {
    const database = await createTestDatabase()
    // Roles belong to the whole server, which other tests use too.
    const suffix = `_${database.url.slice(-12)}`
    const script = readProject('deploy/logins.sql').replaceAll(/its_(app|worker)\b/g, `its_$1${suffix}`)
    const parameters = ['--quiet', '--set=ON_ERROR_STOP=1', '--set=password=plain', `--dbname=${database.url}`]
    try {
      for (const _ of ['first', 'second']) execFileSync('psql', parameters, { input: script })
      const { rows } = await asOwner(database.url, (client) =>
        client.query(
          `select login.rolinherit as inherits, role.rolname as role from pg_auth_members
            join pg_roles login on login.oid = member join pg_roles role on role.oid = roleid
            where login.rolname like $1 and login.rolcanlogin order by 2`,
          [`its%${suffix}`],
        ),
      )
      assert.deepEqual(rows, [
        { inherits: false, role: 'investor_token_app' },
        { inherits: false, role: 'investor_token_worker' },
      ])
    } finally {
      await asOwner(database.url, (client) => client.query(`drop role if exists its_app${suffix}, its_worker${suffix}`))
      await database.drop()
    }
  })
})

function settingsOf(service: ComposeService | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(service?.environment ?? {}).map(([name, value]) => [name, String(value)]))
}

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ComposeService, composeServices } from './compose.ts'
import { imageIsMissing, podman, podmanResult, testImage, untilReady } from './containers.ts'
import { useProduct } from './installed-product.ts'
import { type CommandResult, checkMaintain } from './maintain-commands.ts'
import { processNames, Stack } from './stack.ts'

/**
 * Runs the processes of deploy/compose.yaml with podman, with the rights, limits, volumes and settings of the file.
 * Only the addresses of the other services and the ports are those of the test, which has no image of PostgreSQL here.
 */
describe('the processes of deploy/compose.yaml', { skip: imageIsMissing }, () => {
  const services = composeServices()
  const containerOf = (name: string) => `investor-token-compose-${process.pid}-${name}`
  let stack: Stack
  let files: string
  before(async () => {
    stack = await Stack.start()
    files = join(stack.folder, 'files')
    mkdirSync(files)
    chmodSync(files, 0o777)
  })
  after(async () => {
    const names = processNames.map(containerOf)
    await podman('rm', '--force', '--ignore', '--volumes', '--time', '0', ...names)
    await stack.end()
  })

  async function optionsOf(service: ComposeService): Promise<string[]> {
    const given = Object.entries(service.environment ?? {}).map(([name, value]) => [name, String(value)] as const)
    const here: Record<string, string> = { ...(await stack.settings()), CHAINS: stack.secrets['CHAINS'] ?? '' }
    for (const [name] of given) {
      const own = stack.secrets[name]
      if (own && name.endsWith('_URL')) here[name] = own
    }
    const environment = Object.entries({ ...Object.fromEntries(given), ...here })
    const volumes = (service.volumes ?? []).map(({ type, source, target }) => {
      assert.equal(source, type === 'bind' ? './files' : undefined)
      return type === 'bind' ? `--volume=${files}:${target}` : `--volume=${target}`
    })
    return [
      '--network=host',
      ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
      ...(service.cap_drop ?? []).map((one) => `--cap-drop=${one.toLowerCase()}`),
      ...(service.security_opt ?? []).map((one) => `--security-opt=${one.replace(/:true$/, '')}`),
      `--memory=${service.mem_limit}`,
      `--pids-limit=${service.pids_limit}`,
      ...volumes,
      ...environment.map(([name, value]) => `--env=${name}=${value}`),
      ...(service.entrypoint ? [`--entrypoint=${JSON.stringify(service.entrypoint)}`] : []),
    ]
  }
  const serviceOf = (name: string): ComposeService => {
    const service = services[name]
    assert.ok(service, name)
    return service
  }
  /** Runs the equivalent of `docker compose run --rm`. */
  async function run(name: string, ...args: string[]): Promise<CommandResult> {
    const service = serviceOf(name)
    return podmanResult('run', '--rm', ...(await optionsOf(service)), testImage, ...(service.command ?? []), ...args)
  }

  test('are ready after the migration, and commands of maintain work beside them', async () => {
    const migrated = await run('migrate')
    assert.equal(migrated.code, 0, migrated.output)
    await stack.createLogins()
    for (const name of processNames) {
      const service = serviceOf(name)
      const options = ['--detach', `--name=${containerOf(name)}`, ...(await optionsOf(service))]
      await podman('run', ...options, testImage, ...(service.command ?? []))
    }
    for (const name of processNames) await untilReady(`${stack.urlOf(name)}/readyz`, containerOf(name))

    await checkMaintain((...args) => run('maintain', ...args), files)
  })

  test('uploads, downloads and every operation of both APIs work in them', async () => {
    const { environment = {} } = serviceOf('operator-api')
    await useProduct(stack, (name) => String(environment[name]), [containerOf('worker'), containerOf('indexer')])
  })
})

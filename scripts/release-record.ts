import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakingChanges, type OpenApiDocument } from './breaking-changes.ts'

/**
 * The promises of the last release, committed with it in service/released: both OpenAPI documents and the hashes of its
 * migrations. A folder instead of the files at a git tag, because a shallow clone and an archive have no tags. If the
 * folder does not exist, nothing has been released.
 */
const folder = 'service/released'
const documents = ['openapi.json', 'operator-openapi.json'] as const
/** Breaking changes that the next release may contain, each with its reason; `npm run version` deletes it. */
const accepted = 'accepted-changes.json'

/** Records the promises of a release. `npm run version` calls it. */
export function writeReleaseRecord(root: string): void {
  mkdirSync(join(root, folder), { recursive: true })
  for (const document of documents) {
    const text = readFileSync(join(root, 'service', document), 'utf8')
    // Nobody reads these: on one line they take a hundredth of a repository's lines.
    writeFileSync(join(root, folder, document), `${JSON.stringify(JSON.parse(text))}\n`)
  }
  const hashes = Object.fromEntries(migrationsIn(root).map((file) => [file, hashOf(join(root, file))]))
  writeFileSync(join(root, folder, 'migrations.json'), `${JSON.stringify(hashes, undefined, 2)}\n`)
  rmSync(join(root, folder, accepted), { force: true })
}

/** Returns breaking changes not yet accepted, and accepted ones that no longer exist. */
export function unacceptedChanges(root: string): string[] {
  if (!isReleased(root)) return []
  const found = documents.flatMap((document) => {
    const [before, after] = [join(root, folder, document), join(root, 'service', document)].map(
      (file) => JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument,
    ) as [OpenApiDocument, OpenApiDocument]
    return breakingChanges(before, after).map((change) => `${document}: ${change}`)
  })
  const file = join(root, folder, accepted)
  const reasons = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  const patterns = Object.keys(reasons)
  return [
    ...found.filter((change) => !patterns.some((pattern) => matches(change, pattern))),
    ...patterns
      .filter((pattern) => !found.some((change) => matches(change, pattern)))
      .map((pattern) => `${accepted} accepts a change that does not exist: ${pattern}`),
  ]
}

/** Returns true if a pattern accepts the change. One that begins with `*` accepts it in every operation. */
function matches(change: string, pattern: string): boolean {
  return pattern.startsWith('*') ? change.endsWith(pattern.slice(1)) : change === pattern
}

/** Returns the migrations that the last release did not have. Until the first release, all of them may be edited. */
export function newMigrations(root: string): string[] {
  const released = releasedMigrations(root)
  return isReleased(root) ? migrationsIn(root).filter((file) => !Object.hasOwn(released, file)) : []
}

/** Returns migrations of the last release that were edited or removed: databases that ran them would not notice. */
export function changedMigrations(root: string): string[] {
  return Object.entries(releasedMigrations(root))
    .filter(([file, hash]) => !existsSync(join(root, file)) || hashOf(join(root, file)) !== hash)
    .map(([file]) => file)
}

const isReleased = (root: string) => existsSync(join(root, folder, 'migrations.json'))

function releasedMigrations(root: string): Record<string, string> {
  return isReleased(root) ? JSON.parse(readFileSync(join(root, folder, 'migrations.json'), 'utf8')) : {}
}

function migrationsIn(root: string): string[] {
  return globSync('service/migrations/*/*.sql', { cwd: root }).toSorted()
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

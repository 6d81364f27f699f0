import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakingChanges, type OpenApiDocument } from './breaking-changes.ts'

/**
 * What the last release promised, committed with it in service/released: both OpenAPI documents and the hashes of its
 * migrations. A folder and not the files at a git tag, because a shallow clone and an archive have no tags. Without the
 * folder nothing has been released.
 */
const folder = 'service/released'
const documents = ['openapi.json', 'operator-openapi.json'] as const
/** Breaking changes that the next release may contain, each with its reason; `npm run version` deletes it. */
const accepted = 'accepted-changes.json'

/** Called by `npm run version`. */
export function writeReleaseRecord(root: string): void {
  mkdirSync(join(root, folder), { recursive: true })
  for (const document of documents) copyFileSync(join(root, 'service', document), join(root, folder, document))
  const hashes = Object.fromEntries(migrationsIn(root).map((file) => [file, hashOf(join(root, file))]))
  writeFileSync(join(root, folder, 'migrations.json'), `${JSON.stringify(hashes, undefined, 2)}\n`)
  rmSync(join(root, folder, accepted), { force: true })
}

/** What breaks callers of the last release and has not been accepted, and what was accepted and is not there. */
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

/** A pattern that begins with `*` accepts a change of every operation that has it, such as a new event type. */
function matches(change: string, pattern: string): boolean {
  return pattern.startsWith('*') ? change.endsWith(pattern.slice(1)) : change === pattern
}

/** Migrations that the last release did not have. All of them may be edited until the first release. */
export function newMigrations(root: string): string[] {
  const released = releasedMigrations(root)
  return isReleased(root) ? migrationsIn(root).filter((file) => !Object.hasOwn(released, file)) : []
}

/** Migrations of the last release that were edited or removed: databases that ran them would not notice. */
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

// Prints the changelog of a version, for the release page: node scripts/release-notes.ts v0.1.0
import { readFileSync } from 'node:fs'
import { sectionOf } from './changelog.ts'

const version = (process.argv[2] ?? '').replace(/^v/, '')
const { version: packaged } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const notes = sectionOf(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), version)
if (version !== packaged || notes === undefined) {
  process.stderr.write(
    `The tag must name the version of package.json, ${packaged}, and CHANGELOG.md must have its section: run npm run version.\n`,
  )
  process.exit(1)
}
process.stdout.write(`${notes.trim()}\n`)

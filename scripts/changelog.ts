const categories = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const
type Category = (typeof categories)[number]

export interface ChangelogEntry {
  readonly category: Category
  readonly text: string
}

const unreleased = '## [Unreleased]'

/** Parses the text of a changeset: a category of Keep a Changelog, a colon, and the change that readers notice. */
export function entryOf(file: string, changeset: string): ChangelogEntry {
  const body = changeset.replace(/^---\n[\s\S]*?\n---\n/, '').trim()
  const [, name = '', text = ''] = /^(\w+): ([\s\S]+)$/.exec(body) ?? []
  const category = categories.find((one) => one === name)
  if (!category)
    throw new Error(
      `${file} must begin with ${categories.join(', ')} and a colon after its front matter, as in "Fixed: …".`,
    )
  return { category, text: text.trim() }
}

/**
 * Turns the section [Unreleased] and the entries into the section of a version. Text written into [Unreleased] by hand
 * stays in front of its category, so both ways to add to the changelog can be used.
 */
export function withRelease(
  changelog: string,
  { version, date, entries }: { version: string; date: string; entries: readonly ChangelogEntry[] },
): string {
  if (sectionOf(changelog, version) !== undefined)
    throw new Error(`CHANGELOG.md already has the version ${version}: add a changeset that raises it.`)
  const start = changelog.indexOf(unreleased)
  const written = sectionOf(changelog, 'Unreleased')
  if (written === undefined)
    throw new Error(`CHANGELOG.md has no section ${unreleased}: add it below the introduction.`)
  const end = start + unreleased.length + written.length
  const parts = written.split(/^### /m)
  const byCategory = new Map(parts.slice(1).map((part) => [part.split('\n')[0]?.trim() ?? '', bodyOf(part)]))
  const sections = categories.flatMap((category) => {
    const added = entries.filter((entry) => entry.category === category).map(({ text }) => bullet(text))
    const text = [byCategory.get(category) ?? '', added.join('\n')].filter((one) => one !== '').join('\n')
    return text === '' ? [] : [`### ${category}\n\n${text}\n`]
  })
  const introduction = parts[0]?.trim() ? `${parts[0].trim()}\n\n` : ''
  const section = `## [${version}] - ${date}\n\n${introduction}${sections.join('\n')}`
  return `${changelog.slice(0, start)}${unreleased}\n\n${section}${changelog.slice(end).replace(/^(?=## )/, '\n')}`
}

/** Returns the text of one version, without its heading; undefined if there is none. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const found = changelog.split(/^(?=## \[)/m).find((section) => section.startsWith(`## [${version}]`))
  return found?.slice(found.startsWith(unreleased) ? unreleased.length : found.indexOf('\n'))
}

const bodyOf = (part: string) => part.slice(part.indexOf('\n')).trim()
const bullet = (text: string) => `- ${text.replaceAll('\n', '\n  ')}`

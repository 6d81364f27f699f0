import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { entryOf, sectionOf, withRelease } from '../../scripts/changelog.ts'
import { unacceptedChanges } from '../../scripts/release-record.ts'
import { Checkout, projectRoot } from './checkout.ts'

describe('npm run version', () => {
  const checkout = new Checkout()
  after(() => checkout.remove())
  const version = ({ path: cwd }: Checkout) =>
    execFileSync(process.execPath, [join(projectRoot, 'scripts/version.ts')], { cwd, encoding: 'utf8', stdio: 'pipe' })

  test('without a changeset, releases the prepared version, which is how the first release is cut', () => {
    const first = new Checkout()
    try {
      const { version: prepared } = first.json('package.json')
      first.write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Everything.\n')
      assert.match(version(first), new RegExp(`Version ${prepared}\\.`))
      assert.equal(sectionOf(first.read('CHANGELOG.md'), 'Unreleased')?.trim(), '')
      assert.match(sectionOf(first.read('CHANGELOG.md'), prepared) ?? '', /^### Added\n\n- Everything\.$/m)
      assert.deepEqual(unacceptedChanges(first.path), [])
      assert.ok(first.json('service/released/migrations.json')['service/migrations/base/0001_base.sql'])
      assert.throws(() => version(first), /already has the version/)
    } finally {
      first.remove()
    }
  })

  test('gives one new version to every package, the lock file, the code and the chart', () => {
    const before = checkout.json('package.json').version as string
    const [major, minor] = before.split('.').map(Number)
    const next = `${major}.${(minor ?? 0) + 1}.0`
    checkout.write(
      'deploy/chart/Chart.yaml',
      `apiVersion: v2\nname: its\nversion: ${before}\nappVersion: "${before}"\n`,
    )
    const byHand = checkout
      .read('CHANGELOG.md')
      .replace('## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- By hand.\n')
    checkout.write('CHANGELOG.md', byHand)
    checkout.changeset('one', 'minor', 'Added: operators can do more.\nIn two lines.')
    checkout.changeset('two', 'patch', 'Fixed: an error.')

    assert.match(version(checkout), new RegExp(`Version ${next}\\. Next: commit, then git tag v${next}`))
    const lock = checkout.json('package-lock.json')
    for (const folder of ['', ...checkout.workspaces]) {
      const manifest = checkout.json(join(folder, 'package.json'))
      assert.equal(manifest.version, next, folder)
      assert.equal(lock.packages[folder].version, next, folder)
      // npm ci compares these before it installs.
      assert.deepEqual(lock.packages[folder].dependencies, manifest.dependencies, folder)
    }
    assert.equal(checkout.json('cli/package.json').dependencies['@investor-token/sdk'], next)
    for (const file of ['sdk/src/version.ts', 'cli/src/base/version.ts'])
      assert.match(checkout.read(file), new RegExp(`Version = '${next}'`))
    assert.match(checkout.read('deploy/chart/Chart.yaml'), new RegExp(`^version: ${next}\nappVersion: "${next}"$`, 'm'))
    assert.deepEqual(globSync('.changeset/*.md', { cwd: checkout.path }), [])

    const changelog = checkout.read('CHANGELOG.md')
    assert.equal(sectionOf(changelog, 'Unreleased')?.trim(), '')
    const released = sectionOf(changelog, next) ?? ''
    assert.match(released, /^- operators can do more\.\n {2}In two lines\.$/m)
    assert.match(released, /^### Fixed\n\n- By hand\.\n- an error\.$/m)
  })

  test('a changeset without a category is rejected before anything is changed', () => {
    const before = checkout.read('package.json')
    checkout.changeset('three', 'patch', 'It is better now.')
    assert.throws(() => version(checkout), /\.changeset\/three\.md must begin with Added, Changed, .* and a colon/)
    assert.equal(checkout.read('package.json'), before)
  })
})

describe('the changelog', () => {
  const text =
    '# Changelog\n\nAbout.\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-01-01\n\n### Fixed\n\n- Zero.\n'
  const release = {
    version: '0.2.0',
    date: '2026-02-01',
    entries: [entryOf('a.md', '---\n"a": patch\n---\n\nFixed: Two.')],
  }

  test('stays in the form of Keep a Changelog, newest version first', () => {
    assert.equal(
      withRelease(text, release),
      '# Changelog\n\nAbout.\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n\n### Added\n\n- One.\n\n### Fixed\n\n- Two.\n\n' +
        '## [0.1.0] - 2026-01-01\n\n### Fixed\n\n- Zero.\n',
    )
  })

  test('has each version once', () => {
    assert.throws(() => withRelease(text, { ...release, version: '0.1.0' }), /already has the version 0\.1\.0/)
  })

  test('every changeset of the project has a category', () => {
    const files = globSync('.changeset/*.md', { cwd: projectRoot }).filter((file) => !file.endsWith('README.md'))
    for (const file of files) entryOf(file, readFileSync(join(projectRoot, file), 'utf8'))
  })
})

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { after, describe, test } from 'node:test'
import { projectRoot } from './checkout.ts'

execFileSync(process.execPath, ['scripts/generate.ts', 'site'], { cwd: projectRoot })
const pages = globSync(['*.md', '{docs,sdk,cli,contracts,examples}/**/*.md'], {
  cwd: projectRoot,
  exclude: (name) => name === 'node_modules' || name === 'dist',
}).filter((page) => !page.includes('node_modules'))
const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8')

describe('the documentation site', () => {
  const output = mkdtempSync(join(tmpdir(), 'investor-token-docs-'))
  after(() => rmSync(output, { recursive: true, force: true }))

  test('builds, so no link between pages is dead, and has every page', () => {
    const program = join(projectRoot, 'node_modules/.bin/vitepress')
    const args = ['build', 'docs', '--outDir', output]
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: projectRoot, encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
    const built = new Set(globSync('**/*.html', { cwd: output }))
    for (const page of pages)
      assert.ok(built.has(page === 'README.md' ? 'index.html' : page.replace(/\.md$/, '.html')), page)
    const home = readFileSync(join(output, 'index.html'), 'utf8')
    for (const group of ['Guides for integrators', 'The console for operators', 'Running an installation', 'Reference'])
      assert.ok(home.includes(group), group)
  })

  test('has every heading that a link names', () => {
    const dead = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\(([^)\s:]*\.md)?#([^)\s]+)\)/g)]
        .map(([, file = '', anchor = '']) => ({ target: file ? normalize(join(dirname(page), file)) : page, anchor }))
        .filter(({ target, anchor }) => pages.includes(target) && !anchorsOf(target).has(anchor))
        .map(({ target, anchor }) => `${page}: ${target}#${anchor}`),
    )
    assert.deepEqual(dead, [])
  })
})

/** Returns the ids of a page's headings, as code hosts and the site generate them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s+/g, '-'),
    ),
  )
}

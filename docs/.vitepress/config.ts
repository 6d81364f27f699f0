import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'

const root = fileURLToPath(new URL('../../', import.meta.url))

export default defineConfig({
  title: 'Investor Token Service',
  description: 'The service behind a token-issuance platform',
  lang: 'en',
  // The whole repository, so that links between docs/ and the documents beside it work here as they do in a file browser.
  srcDir: '..',
  srcExclude: ['**/node_modules/**', '**/dist/**', '.changeset/**', '.github/**', '.dev/**', '.snippets-*/**'],
  rewrites: { 'README.md': 'index.md' },
  // Addresses of a local installation, which no site can check. Every other dead link fails.
  ignoreDeadLinks: 'localhostLinks',
  // Shown as plain text. Without an entry each block would be reported as an unknown language.
  markdown: { languages: [{ name: 'promql', scopeName: 'source.promql', patterns: [], repository: {} }] },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/docs/guides/README' },
      { text: 'Operators', link: '/docs/operators/README' },
      { text: 'Operations', link: '/docs/operations/incidents' },
      { text: 'Reference', link: '/docs/configuration' },
    ],
    sidebar: [
      { text: 'Guides for integrators', items: pagesOf('docs/guides') },
      { text: 'The console for operators', items: pagesOf('docs/operators') },
      { text: 'Running an installation', items: pagesOf('docs/operations') },
      { text: 'Alerts', collapsed: true, items: pagesOf('docs/operations/alerts') },
      { text: 'Security', items: [pageOf('docs/SECURITY.md'), ...pagesOf('docs/security')] },
      {
        text: 'Reference',
        items: [...pagesOf('docs').filter(({ link }) => link !== '/docs/SECURITY'), ...pagesOf('{sdk,cli,contracts}')],
      },
      { text: 'Decisions', collapsed: true, items: pagesOf('docs/decisions') },
      { text: 'Contributing', items: pagesOf('.') },
    ],
  },
})

/** The pages of a folder, its README first. */
function pagesOf(folder: string): { text: string; link: string }[] {
  const isReadme = (file: string) => Number(basename(file) === 'README.md')
  return globSync(`${folder}/*.md`, { cwd: root })
    .filter((file) => file !== 'README.md')
    .toSorted((a, b) => isReadme(b) - isReadme(a) || a.localeCompare(b))
    .map(pageOf)
}

function pageOf(file: string): Required<Pick<DefaultTheme.SidebarItem, 'text' | 'link'>> {
  const [, heading = file] = /^# (.*)$/m.exec(readFileSync(`${root}${file}`, 'utf8')) ?? []
  return { text: heading.replaceAll('`', ''), link: `/${file.replace(/\.md$/, '')}` }
}

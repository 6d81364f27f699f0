import { dirname, join, matchesGlob, normalize } from 'node:path'
import { isTestCode, type Project } from './project.ts'
import { type SourceLiteral, unknown } from './source-literals.ts'

/**
 * Modules whose text names a file that is not a module, such as a document or a page: its path, its folder, a pattern,
 * or its name if that says which file is meant.
 */
export function modulesThatName({ graph, isOpaque, literalsOf, textOf }: Project, file: string): readonly string[] {
  // Who lists modules counts or formats them.
  if (/\.tsx?$/.test(file)) return []
  const words = [file.split('/').at(-1) ?? file, file.split('/').at(-2) ?? '', file.split('/')[0] ?? '']
  return [...graph.keys()].filter((module) => {
    if (!/\.[jt]sx?$/.test(module) || isOpaque(module)) return false
    const text = textOf(module)
    // Parsing is only worth it if the text has one of the words.
    if (!isTestCode(module) && !words.some((word) => word !== '' && text.includes(word))) return false
    return literalsOf(module).some((literal) => names(module, literal, file))
  })
}

function names(module: string, { text }: SourceLiteral, file: string): boolean {
  if (text === '' || text.includes('\n') || /^[\w.-]+$/.test(text))
    return isDistinctive(text) && file.endsWith(`/${text}`)
  // new URL('…', import.meta.url), or from the root, or from where processes of the service are started.
  return [dirname(module), '.', 'service'].some((from) => {
    const path = normalize(join(from, text.replace(/^\/+/, '')))
    if (path === file) return true
    if (/[*{]/.test(path)) return matchesGlob(file, path)
    if (path.includes(unknown)) return matchesInserted(path, file)
    const folder = path.replace(/\/$/, '')
    return !isBroad(folder) && file.startsWith(`${folder}/`)
  })
}

/** A README.md is in every folder; `operator-openapi.json` is one file. */
function isDistinctive(name: string): boolean {
  return /\.(md|json|sql|ya?ml|html|css|txt)$/.test(name) && !/^(README\.md|package\.json|SKILL\.md)$/.test(name)
}

/** Whether a file is one that a template means: `docs/operations/${page}.md`. */
function matchesInserted(path: string, file: string): boolean {
  const [before = '', ...rest] = path.split(unknown)
  const after = rest.at(-1) ?? ''
  return !isBroad(dirname(`${before}x`)) && before.includes('/') && file.startsWith(before) && file.endsWith(after)
}

/** These folders have sources of all kinds, and who names one of them means a part of it. */
function isBroad(folder: string): boolean {
  return /^(\.|\.\.|\/|(\.\.\/)+.*|(cli|console|contracts|deploy|docs|examples|examples\/storefront|scripts|sdk|service)(\/(src|test|test\/harness))?)$/.test(
    folder,
  )
}

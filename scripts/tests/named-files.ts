import { dirname, join, matchesGlob, normalize } from 'node:path'
import { isTestCode, type Project } from './project.ts'
import { type SourceLiteral, unknown } from './source-literals.ts'

/**
 * Returns modules whose text names a file that is not a module, such as a document or a page: by its path, its folder,
 * a pattern, or its name if that is distinctive.
 */
export function modulesThatName({ graph, isOpaque, literalsOf, textOf }: Project, file: string): readonly string[] {
  // Modules that list other modules only count or format them.
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
  // Relative to the module as in new URL('…', import.meta.url), to the root, or to the folder in which processes start.
  return [dirname(module), '.', 'service'].some((from) => {
    const path = normalize(join(from, text.replace(/^\/+/, '')))
    if (path === file) return true
    if (/[*{]/.test(path)) return matchesGlob(file, path)
    if (path.includes(unknown)) return matchesInserted(path, file)
    const folder = path.replace(/\/$/, '')
    return !isBroad(folder) && file.startsWith(`${folder}/`)
  })
}

/** Returns true if a name identifies a file: README.md is in every folder, but `operator-openapi.json` is unique. */
function isDistinctive(name: string): boolean {
  return /\.(md|json|sql|ya?ml|html|css|txt)$/.test(name) && !/^(README\.md|package\.json|SKILL\.md)$/.test(name)
}

/** Returns true if a template can mean this file: `docs/operations/${page}.md`. */
function matchesInserted(path: string, file: string): boolean {
  const [before = '', ...rest] = path.split(unknown)
  const after = rest.at(-1) ?? ''
  return !isBroad(dirname(`${before}x`)) && before.includes('/') && file.startsWith(before) && file.endsWith(after)
}

/** Recognizes folders with sources of all kinds: a module that names one of them means only a part of it. */
function isBroad(folder: string): boolean {
  return /^(\.|\.\.|\/|(\.\.\/)+.*|(cli|console|contracts|deploy|docs|examples|examples\/storefront|scripts|sdk|service)(\/(src|test|test\/harness))?)$/.test(
    folder,
  )
}

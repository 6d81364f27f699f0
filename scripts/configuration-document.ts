import { readFileSync } from 'node:fs'
import { secretSettings } from '../service/src/platform/base/secret-files.ts'
import { withSection } from './marked-section.ts'

/** Returns docs/configuration.md with its table generated from the comments in the files that read settings. */
export function configurationDocument(current: string): string {
  return withSection(current, 'configuration', table())
}

function table(): string {
  const source = ['config.ts', 'database-settings.ts', 'settings-reader.ts', 'traffic-settings.ts']
    .map((file) => readFileSync(new URL(`../service/src/platform/base/${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const settings = [...source.matchAll(/\b(withDefault|optional|required)\('([A-Z0-9_]+)'/g)]
  const documented = new Map<string, string>()
  for (const { 1: kind = '', 2: name = '', index } of settings)
    if (!documented.has(name)) documented.set(name, rowOf(source, name, kind, index))
  return `| setting | default | what it is |\n|---|---|---|\n${[...documented.values()].join('\n')}`
}

/** Formats the comment above a setting, with the default behind `@default` or in the code. */
function rowOf(source: string, name: string, kind: string, index: number): string {
  const line = source.slice(source.lastIndexOf('\n', index) + 1, source.indexOf('\n', index))
  const above = source.slice(0, source.lastIndexOf('\n', index))
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/$/.exec(above.trimEnd())?.[1]
  if (!comment) throw new Error(`config.ts must describe ${name} in a comment above it`)
  const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim()
  const [description = '', given] = text.split(' @default ')
  const inCode = kind === 'withDefault' ? /, '([^']*)'\)/.exec(line)?.[1] : undefined
  const fallback = given ?? (inCode === undefined ? '' : `\`${inCode}\``)
  const isSecret = secretSettings.some((secret) => secret === name)
  const names = isSecret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``
  return `| ${names} |${fallback ? ` ${fallback} ` : ' '}| ${description} |`
}

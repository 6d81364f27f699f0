import type { Change } from './changed-lines.ts'
import { isCompositionRoot } from './composition-roots.ts'
import { isTestCode, type Project } from './project.ts'
import type { ChangedModule } from './tests-of-modules.ts'

/** Returns the modules that depend on a file only through names in it. */
export function modulesOfNames(project: Project, { file, lines }: Change): readonly ChangedModule[] | undefined {
  if (/^service\/migrations\/.*\.sql$|^service\/schema\.sql$/.test(file))
    return modulesOfTables(project, lines ?? project.textOf(file))
  if (file === 'service/src/platform/base/config.ts') return modulesOfSettings(project, lines ?? project.textOf(file))
  return undefined
}

/**
 * Returns the modules that are about the tables named in changed lines: a quarter or more of the tables in their SQL.
 * Many others join a table only to show a column of it.
 */
function modulesOfTables({ graph, textOf }: Project, lines: string): ChangedModule[] {
  const changed = new Set(tablesIn(lines.replaceAll(/--.*$/gm, '')))
  const modules = [...graph.keys()].filter((file) => /\.sql\.ts$|\/platform\/postgres\/[\w/-]+\.ts$/.test(file))
  const naming = modules.flatMap((file) => {
    const tables = tablesIn(textOf(file))
    const named = tables.filter((table) => changed.has(table))
    return named.length === 0 ? [] : [{ file, because: `names ${named[0]}`, share: named.length / tables.length }]
  })
  const about = naming.filter(({ share }) => share >= 0.25)
  return about.length > 0 ? about : naming
}

/** Returns each mention of a table or function in statements, which all name its schema. */
function tablesIn(statements: string): string[] {
  return statements.match(/\b(cell|directory|base)\.[a-z]\w+/g) ?? []
}

/** Returns the modules that use a setting, and the test code that sets it. */
function modulesOfSettings({ graph, textOf }: Project, lines: string): ChangedModule[] {
  const variables = [...lines.matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)].map(([, name = '']) => name)
  const members = [...lines.matchAll(/^ +(\w+): /gm)].map(([, name = '']) => name).filter((name) => name.length > 5)
  if (variables.length + members.length === 0) return []
  const setting = new RegExp(`\\b(${[...variables, ...members].join('|')})\\b`)
  const variable = new RegExp(`\\b(${variables.join('|') || '(?!)'})\\b`)
  return [...graph.keys()].flatMap((file) => {
    // A composition root passes every setting on.
    if (file === 'service/src/platform/base/config.ts' || isCompositionRoot(file) || !/\.tsx?$/.test(file)) return []
    const named = (isTestCode(file) ? variable : setting).exec(textOf(file))?.[1]
    return named === undefined ? [] : [{ file, because: `names ${named}` }]
  })
}

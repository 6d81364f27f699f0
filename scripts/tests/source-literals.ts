import { parseSync } from 'oxc-parser'

/** A string or template literal of a source file. */
export interface SourceLiteral {
  /** Its text. A value that a template inserts is `unknown`, unless a literal of the same file defines it. */
  readonly text: string
  /** The HTTP method in the call around it, if there is one. */
  readonly method: string | undefined
}

/** Stands for a value that a template inserts. No source file contains this character. */
export const unknown = '\u0000'

/** A node of the syntax tree; members depend on its type. */
// oxlint-disable-next-line typescript/no-explicit-any -- few of over a hundred types of nodes matter here
export type SyntaxNode = { type: string; start: number; end: number } & Record<string, any>

export function parseSource(file: string, text: string): SyntaxNode {
  return parseSync(file, text).program as unknown as SyntaxNode
}

/** Calls `visit` with each node below this one and its parents, nearest first. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
  parents: readonly SyntaxNode[] = [],
): void {
  visit(node, parents)
  const inside = [node, ...parents]
  for (const member of Object.values(node))
    for (const child of Array.isArray(member) ? member : [member])
      if (typeof child?.type === 'string') walk(child, visit, inside)
}

/** Returns all literals of a file that contain a slash or a dot, and so may be paths. */
export function sourceLiterals(file: string, source: string): readonly SourceLiteral[] {
  const literals: SourceLiteral[] = []
  const named = new Map<string, SyntaxNode>()
  const program = parseSource(file, source)
  walk(program, (node) => {
    const name = node.type === 'VariableDeclarator' && node['id'].name
    if (typeof name === 'string' && node['init']) named.set(name, node['init'])
  })
  walk(program, (node, parents) => {
    const text = textOf(node, named)
    if (text !== undefined && /[./]/.test(text)) literals.push({ text, method: methodAround(node, parents) })
  })
  return literals
}

/** Returns a literal's text. `` `${path}/cancel` `` begins with the text of `path`, if the same file defines it. */
function textOf(node: SyntaxNode, named: ReadonlyMap<string, SyntaxNode>, depth = 0): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis: SyntaxNode[] = node['quasis']
  return quasis
    .map(({ value }, index) => {
      const inserted: SyntaxNode | undefined = index === 0 ? undefined : node['expressions'][index - 1]
      // Only at the beginning: further in, an inserted value is an id.
      const isBeginning = index === 1 && quasis[0]?.['value'].cooked === ''
      const known = inserted && isBeginning && depth < 3 ? namedText(inserted, named, depth + 1) : undefined
      return `${inserted ? (known ?? unknown) : ''}${value.cooked}`
    })
    .join('')
}

/** Returns the text of a constant, or the one that a function of this file returns. */
function namedText(inserted: SyntaxNode, named: ReadonlyMap<string, SyntaxNode>, depth: number): string | undefined {
  const callee = inserted.type === 'CallExpression' ? inserted['callee'] : inserted
  const value = callee.type === 'Identifier' ? named.get(callee.name) : undefined
  const result = value?.type === 'ArrowFunctionExpression' ? value['body'] : value
  return result && textOf(result, named, depth)
}

/** Recognizes `api.call('PATCH', …)`, `tenant.post(…)` and `{ method: 'POST', path: … }`. */
function methodAround(node: SyntaxNode, parents: readonly SyntaxNode[]): string | undefined {
  const around = parents.find(({ type }) => type === 'CallExpression' || type === 'ObjectExpression')
  if (around?.type === 'ObjectExpression') {
    const stated = around['properties'].find((one: SyntaxNode) => one['key']?.name === 'method')
    return stated?.value.value
  }
  if (!around || around['callee'] === node) return undefined
  const stated = around['arguments'].find(({ value }: SyntaxNode) => /^(GET|POST|PATCH)$/.test(String(value)))
  if (stated) return stated.value
  const name: string = around['callee'].property?.name ?? around['callee'].name ?? ''
  return /^(get|post|patch)/i.exec(name)?.[0].toUpperCase()
}

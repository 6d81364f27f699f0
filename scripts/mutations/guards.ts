import { parseSource, type SyntaxNode, walk } from '../tests/source-literals.ts'

/** One change of one guard, as a cut of a file's text. */
export interface Mutation {
  readonly file: string
  readonly line: number
  readonly kind: 'if' | 'comparison' | 'boolean' | 'negation' | 'limit' | 'predicate' | 'lock' | 'policy'
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

type Cut = Pick<Mutation, 'kind' | 'start' | 'end' | 'after'>

/** Returns the mutations of a file's guards in order: of code that rejects, compares, selects rows, limits or locks. */
export function guardsIn(file: string, source: string): readonly Mutation[] {
  const cuts = file.endsWith('.sql') ? policyCuts(source) : [...codeCuts(file, source)]
  return cuts
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((cut) => ({
      file,
      line: source.slice(0, cut.start).split('\n').length,
      before: source.slice(cut.start, cut.end),
      ...cut,
    }))
}

export function mutated(source: string, { start, end, after }: Mutation): string {
  return `${source.slice(0, start)}${after}${source.slice(end)}`
}

function codeCuts(file: string, source: string): Cut[] {
  const cuts: Cut[] = []
  walk(parseSource(file, source), (node, parents) => {
    if (node.type === 'IfStatement' && rejects(node['consequent'])) cuts.push(replaced('if', node['test'], 'false'))
    if (node.type === 'TaggedTemplateExpression') cuts.push(...statementCuts(node, source))
    if (isCondition(node, parents)) cuts.push(...conditionCuts(node, source))
    cuts.push(...limitCuts(node, source))
  })
  return cuts
}

const replaced = (kind: Cut['kind'], { start, end }: SyntaxNode, after: string): Cut => ({ kind, start, end, after })

/** Returns true if the statement behind an `if` throws, returns or reports a problem. */
function rejects(statement: SyntaxNode): boolean {
  const last = statement.type === 'BlockStatement' ? statement['body'].at(-1) : statement
  if (/^(Throw|Return|Continue|Break)Statement$/.test(last?.type ?? '')) return true
  const call = last?.type === 'ExpressionStatement' ? last['expression'] : undefined
  const callee = call?.type === 'CallExpression' ? call['callee'] : undefined
  return /^(reject|fail|push)$/.test(callee?.property?.name ?? callee?.name ?? '')
}

/** Returns true if a node is part of a decision: the test of an `if` or `?:`, a filter, or the result of a rule. */
function isCondition(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  const inside = [node, ...parents]
  const outer = inside.findIndex(({ type }) => !/^(Binary|Logical|Unary|Parenthesized)Expression$/.test(type))
  const [condition, around] = [inside[outer - 1], inside[outer]]
  if (!condition || !around) return false
  if (/^(If|While)Statement$|^ConditionalExpression$/.test(around.type)) return around['test'] === condition
  return /^(ReturnStatement|ArrowFunctionExpression)$/.test(around.type)
}

const weakened: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

function conditionCuts(node: SyntaxNode, source: string): Cut[] {
  if (node.type === 'UnaryExpression' && node['operator'] === '!') {
    const { start, end }: SyntaxNode = node['argument']
    return [replaced('negation', node, source.slice(start, end))]
  }
  const after = weakened[node['operator']]
  if (after === undefined || !/^(Binary|Logical)Expression$/.test(node.type)) return []
  const between = source.slice(node['left'].end, node['right'].start)
  const start = node['left'].end + between.lastIndexOf(node['operator'])
  const kind = node.type === 'BinaryExpression' ? 'comparison' : 'boolean'
  return [{ kind, start, end: start + node['operator'].length, after }]
}

/** Moves a bound, recognized by its name, a hundred times as far away. */
function limitCuts(node: SyntaxNode, source: string): Cut[] {
  const name: string = (node.type === 'VariableDeclarator' ? node['id'].name : node['key']?.name) ?? ''
  const value: SyntaxNode | undefined = node.type === 'VariableDeclarator' ? node['init'] : node['value']
  if (value?.type !== 'Literal' || typeof value['value'] !== 'number') return []
  const isMax = /(Max|^maxLength|^maximum|^maxItems)$/.test(name)
  return isMax ? [replaced('limit', value, `${source.slice(value.start, value.end)}00`)] : []
}

const predicate =
  /\b(?:where|and)\s+((?:\w+\.)?\w+\s*(?:=|<>|<=|>=|<|>)\s*(?:\$\{[^{}]*\}|'[^']*'|[\w.]+)(?:::\w+)?|(?:\w+\.)?\w+ is (?:not )?null\b)/g

/** Makes each comparison in a statement true, and removes its locks. */
function statementCuts({ start, end, tag }: SyntaxNode, source: string): Cut[] {
  if (tag.name !== 'sql') return []
  const text = source.slice(start, end)
  const predicates = [...text.matchAll(predicate)].map((match): Cut => {
    const to = start + match.index + match[0].length
    return { kind: 'predicate', start: to - (match[1] ?? '').length, end: to, after: 'true' }
  })
  const locks = [...text.matchAll(/\bfor (no key )?update( of \w+)?(?! skip)/g)].map((match): Cut => {
    const from = start + match.index
    return { kind: 'lock', start: from, end: from + match[0].length, after: '' }
  })
  return [...predicates, ...locks]
}

/** Makes a policy of row-level security let every row through. */
function policyCuts(source: string): Cut[] {
  return [...source.matchAll(/create policy [^;]*?\busing \(([^;]*?)\)(?=;| with check)/g)].map((match): Cut => {
    const start = match.index + match[0].length - 1 - (match[1] ?? '').length
    return { kind: 'policy', start, end: start + (match[1] ?? '').length, after: 'true' }
  })
}

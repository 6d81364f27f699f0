import { type SourceLiteral, unknown } from './source-literals.ts'

/** An operation according to the header in its file. */
export interface DeclaredOperation {
  readonly file: string
  readonly method: string
  readonly path: string
}

/**
 * Returns the operations that a file declares. Lists are declared without a method, and count as GET. An operation that
 * accepts many resources at once has a second path.
 */
export function operationsDeclaredIn(file: string, source: string): readonly DeclaredOperation[] {
  const declarations = source.split(/= (?:operation|\w+Operation|operatorStream)\(\s*\{/).slice(1)
  return declarations.flatMap((declaration) => {
    const path = /^ {4}path: '([^']+)'/m.exec(declaration)?.[1]
    if (path === undefined) return []
    const method = /^ {4}method: '(\w+)'/m.exec(declaration)?.[1] ?? 'GET'
    const id = /^ {4}id: '(\w+)'/m.exec(declaration)?.[1]
    const bulk = /^ {4}bulk: true/m.test(declaration) ? [{ file, method: 'POST', path: `/bulk/${id}` }] : []
    return [{ file, method, path }, ...bulk]
  })
}

/** If more operations end in the same words, a literal is ambiguous: `${path}/cancel` alone names none of them. */
const ambiguousMax = 3

/** Returns the operations whose paths the literals of a file may be. */
export function calledOperations(
  literals: readonly SourceLiteral[],
  operations: readonly DeclaredOperation[],
): ReadonlySet<DeclaredOperation> {
  return new Set(literals.flatMap((literal) => operationsOf(literal, operations)))
}

function operationsOf({ text, method }: SourceLiteral, operations: readonly DeclaredOperation[]): DeclaredOperation[] {
  const pattern = segmentsOf(text)
  if (!pattern) return []
  const scored = operations
    .filter((one) => method === undefined || one.method === method)
    .map((operation) => ({ operation, score: likeness(pattern, operation.path.split('/').slice(1)) }))
    .filter(({ score }) => score > 0)
  const best = Math.max(...scored.map(({ score }) => score))
  const matching = scored.filter(({ score }) => score === best).map(({ operation }) => operation)
  return pattern.isWhole || matching.length <= ambiguousMax ? matching : []
}

interface Pattern {
  readonly segments: readonly string[]
  /** False if the beginning of the path is unknown. */
  readonly isWhole: boolean
}

/** Returns a literal as a path without its query; undefined if it cannot be one. An inserted segment is `unknown`. */
function segmentsOf(text: string): Pattern | undefined {
  const path = text.replace(/[?#].*$/s, '').replace(/^(https?:\/\/[^/]+)?\/(api|operator)(?=\/)/, '')
  const isWhole = path.startsWith('/')
  if (/\s/.test(path) || !(isWhole || path.startsWith(`${unknown}/`))) return undefined
  const segments = path
    .split('/')
    .slice(1)
    // Documents and commands write parameters as {id}, :id or $ID.
    .map((segment) => (/^[{:$]/.test(segment) || segment.includes(unknown) ? unknown : segment))
  return { segments, isWhole }
}

/**
 * Returns how exactly a literal names a path: 0 if it is another path, or shares no word with it. A value where the
 * path has a word, as in `/orders/${id}/${verb}`, counts less than a word.
 */
function likeness({ segments, isWhole }: Pattern, path: readonly string[]): number {
  if (isWhole ? path.length !== segments.length : path.length <= segments.length) return 0
  const compared = path.slice(path.length - segments.length)
  const scores = compared.map((word, index) => {
    const segment = segments[index]
    const isParameter = word.startsWith(':')
    if (segment === unknown) return isParameter ? 3 : 1
    return isParameter ? 2 : word === segment ? 3 : 0
  })
  const hasWord = compared.some((word, index) => word === segments[index])
  return hasWord && !scores.includes(0) ? scores.reduce<number>((sum, score) => sum + score, 0) : 0
}

import type { Operation } from '../declare/operation.ts'

/** Where the integrator's operations are; both address the same ones. */
export const integratorPrefixes = ['/api', '/_api'] as const
/** Where the operator's are, on a port of their own. */
export const operatorPrefixes = ['/operator'] as const

/** The methods that exist at this URL, or undefined where no operation has such a path. */
export function methodsAt(
  operations: readonly Operation[],
  prefixes: readonly string[],
  url: string,
): string[] | undefined {
  const path = url.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? ''
  const methods = operations
    .filter(({ header }) => patternOf(prefixes, header.path).test(path))
    .map(({ header }) => header.method)
  if (methods.length === 0) return undefined
  return [...new Set<string>(methods.includes('GET') ? [...methods, 'HEAD'] : methods), 'OPTIONS']
}

function patternOf(prefixes: readonly string[], path: string): RegExp {
  return new RegExp(`^(${prefixes.join('|')})${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}

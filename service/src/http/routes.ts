import type { Operation } from './operation.ts'

/** Both address the same operations. */
export const prefixes = ['/api', '/_api'] as const

/** The methods that exist at this URL, or undefined where no operation has such a path. */
export function methodsAt(operations: readonly Operation[], url: string): string[] | undefined {
  const path = url.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? ''
  const methods = operations
    .filter(({ header }) => patternOf(header.path).test(path))
    .map(({ header }) => header.method)
  if (methods.length === 0) return undefined
  return [...new Set<string>(methods.includes('GET') ? [...methods, 'HEAD'] : methods), 'OPTIONS']
}

function patternOf(path: string): RegExp {
  return new RegExp(`^(${prefixes.join('|')})${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}

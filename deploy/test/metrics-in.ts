import { parser } from '@prometheus-io/lezer-promql'

/** Returns the names of the metrics in a PromQL expression. */
export function metricsIn(expr: string): Set<string> {
  const names = new Set<string>()
  parser.parse(expr).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') names.add(expr.slice(from, to))
      if (name === '⚠') throw new Error(`invalid PromQL at ${from}: ${expr}`)
    },
  })
  return names
}

import { Fragment, type ReactNode } from 'react'

interface FactsProps {
  /** Values that are undefined are left out. */
  readonly facts: Readonly<Record<string, ReactNode>>
  /** True if the values are amounts, aligned below each other. */
  readonly isFigures?: boolean
}

export function Facts({ facts, isFigures = false }: FactsProps) {
  return (
    <dl className={isFigures ? 'facts facts-figures' : 'facts'}>
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value === null || value === '' ? '–' : value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

import type { ReactNode } from 'react'
import { type Action, Actions } from './actions.tsx'

interface CardProps {
  readonly title: ReactNode
  /** Classes besides `card`, such as `card-attention`. */
  readonly className?: string
  /** Shown beside the title. */
  readonly actions?: readonly Action[]
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of a page, with its title and its actions. */
export function Card({ title, className = '', actions, aside, children }: CardProps) {
  return (
    <section className={`card ${className}`.trim()}>
      {actions || aside !== undefined ? (
        <div className="spread section-title">
          <h2>{title}</h2>
          {aside}
          {actions && <Actions actions={actions} isCompact />}
        </div>
      ) : (
        <h2>{title}</h2>
      )}
      {children}
    </section>
  )
}

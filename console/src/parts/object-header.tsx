import type { ReactNode } from 'react'
import { type Action, Actions } from './actions.tsx'

interface ObjectHeaderProps {
  readonly breadcrumb: ReactNode
  readonly title: string
  readonly state?: ReactNode
  readonly id?: ReactNode
  /** At most three facts: those that a person looks for first. */
  readonly keyFacts?: Readonly<Record<string, ReactNode>>
  readonly actions?: readonly Action[]
}

/** Top of an object's page: breadcrumb, title, state, key facts and actions. */
export function ObjectHeader({ breadcrumb, title, state, id, keyFacts = {}, actions = [] }: ObjectHeaderProps) {
  return (
    <header className="stack" style={{ gap: 10 }}>
      <div className="small muted">{breadcrumb}</div>
      <div className="spread">
        <div className="line">
          <h1 style={{ margin: 0 }}>{title}</h1>
          {state}
          {id}
        </div>
        <Actions actions={actions} />
      </div>
      <div className="key-facts">
        {Object.entries(keyFacts).map(([name, value]) => (
          <div key={name}>
            <div className="small muted">{name}</div>
            <div className="figure">{value}</div>
          </div>
        ))}
      </div>
    </header>
  )
}

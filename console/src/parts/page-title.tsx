import type { ReactNode } from 'react'
import { countText } from '../text/format.ts'

interface PageTitleProps {
  readonly title: string
  readonly count?: { value: number; isExact: boolean } | undefined
  readonly children?: ReactNode
}

/** Name of a list with its count, and actions on the right. */
export function PageTitle({ title, count, children }: PageTitleProps) {
  return (
    <header className="spread">
      <div className="line">
        <h1 style={{ margin: 0 }}>{title}</h1>
        {count && <span className="muted">{countText(count)}</span>}
      </div>
      <div className="line">{children}</div>
    </header>
  )
}

import type { ReactNode } from 'react'

/** Explains why a list is empty, and what to do about it. */
export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="empty-state">
      <p className="muted">{text}</p>
      {children}
    </div>
  )
}

import { lazy, Suspense } from 'react'
import type { PanelProps } from './panel-drawer.tsx'

const PanelDrawer = lazy(async () => ({ default: (await import('./panel-drawer.tsx')).PanelDrawer }))

/** Details of a row, shown without leaving its list. The drawer loads when the first panel opens. */
export function SidePanel(props: PanelProps) {
  return (
    <Suspense>
      <PanelDrawer {...props} />
    </Suspense>
  )
}

import { Link, type LinkProps } from '@tanstack/react-router'

interface ScreenTabsProps {
  readonly label: string
  readonly tabs: readonly { readonly to: NonNullable<LinkProps['to']>; readonly text: string }[]
}

/** Tabs that link related screens. */
export function ScreenTabs({ label, tabs }: ScreenTabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, text }) => (
        <Link
          key={text}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ className: 'active' }}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}

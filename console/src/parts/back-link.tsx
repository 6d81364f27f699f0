import { Link, type LinkProps } from '@tanstack/react-router'

/** Link to the list that an object belongs to. */
export function BackLink({ to, text }: { to: NonNullable<LinkProps['to']>; text: string }) {
  return (
    <Link className="link" to={to}>
      {text}
    </Link>
  )
}

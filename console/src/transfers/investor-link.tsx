import { Link } from '@tanstack/react-router'

export function InvestorLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Link className="plain" to="/investors/$accountId" params={{ accountId: id }}>
      {name}
    </Link>
  )
}

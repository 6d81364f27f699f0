const searchKey = 'console.return-search'

/**
 * Redirects to the sign-in, which returns to this address. The sign-in accepts paths only, so this tab stores the query
 * string. Never resolves, because the page is about to unload.
 */
export function goToSignIn(): Promise<never> {
  const { pathname, search } = location
  sessionStorage.setItem(searchKey, JSON.stringify({ pathname, search }))
  location.assign(`/console/sign-in?return_to=${encodeURIComponent(pathname)}`)
  return new Promise(() => {})
}

/** Restores the query string after the sign-in, before the router reads the address. */
export function restoreAddress(): void {
  const stored = sessionStorage.getItem(searchKey)
  if (!stored) return
  sessionStorage.removeItem(searchKey)
  const { pathname, search }: { pathname: string; search: string } = JSON.parse(stored)
  const isSamePage = location.pathname.replace(/\/$/, '') === pathname.replace(/\/$/, '')
  if (isSamePage && !location.search) history.replaceState(null, '', pathname + search)
}

/** Redirects to the passkey page, which returns to this address once a passkey is created. */
export function goToPasskeys(): void {
  sessionStorage.setItem('console.passkey-return', location.pathname + location.search)
  location.assign('/console/passkey')
}
